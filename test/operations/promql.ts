import { parser } from '@prometheus-io/lezer-promql';

/** A metric in a query, and its label matchers. */
export interface Selector {
  metric: string;
  matchers: { label: string; value: string }[];
}

/** What a PromQL query refers to. */
export interface Query {
  selectors: Selector[];
  /** The labels of `by (…)` and `on (…)`. */
  groupings: string[];
}

/** Parses a PromQL query. Throws if it is not valid. */
export function parseQuery(text: string): Query {
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, node, from, to }) => {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`);
      const word = text.slice(from, to);
      const parent = node.parent?.name;
      if (type.name === 'Identifier' && parent === 'VectorSelector')
        selectors.push({ metric: word, matchers: [] });
      if (type.name === 'UnquotedLabelMatcher') {
        const [, label = '', value = ''] = /^(\w+)\s*[=!~]+\s*"(.*)"$/.exec(word) ?? [];
        selectors.at(-1)?.matchers.push({ label, value });
      }
      if (type.name === 'LabelName' && parent === 'GroupingLabels') groupings.push(word);
    },
  });
  return { selectors, groupings };
}
