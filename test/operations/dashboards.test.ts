import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { TIERS } from '../../host/auth/key-store.ts';
import { PROBLEM_CODES } from '../../host/errors/catalog.ts';
import { findPromtool } from '../../scripts/setup/promtool.ts';
import { Service } from '../http/service.ts';
import { parseQuery } from './promql.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);

interface Panel {
  id: number;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}
interface Variable {
  name: string;
  query: { query: string } | string;
}
const dashboard: { panels: Panel[]; templating: { list: Variable[] } } = JSON.parse(
  read('deploy/grafana/tracesmith.json'),
);
const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map((one) => ({ title, ...one })),
);

/** Grafana replaces its variables before Prometheus sees the query. */
const withoutVariables = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*');

/** Prometheus adds them to what it scrapes; `up` is its own. */
const SCRAPE_LABELS = ['job', 'instance'];
const LABELS = new Map([['up', new Set<string>()]]);
/** The values that occur in queries, of labels with a fixed set of values. */
const VALUES: Record<string, readonly string[]> = {
  error_type: [...PROBLEM_CODES, '', 'client_disconnected', 'send_timeout'],
  action: ['answered_closed', 'idle_closed', 'error_closed', 'upload_rejected', 'refused', 'dropped'],
  tier: [...TIERS, 'none'],
  step: ['upload', 'queue', 'decode', 'trace'],
  reason: ['timeout', 'client_disconnected', 'failure'],
  http_route: ['/v1/vectorize'],
};

let service: Service;
before(async () => {
  service = await Service.start();
  const exposed = await service.metrics();
  for (const [, name = '', type] of exposed.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const series = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    for (const one of series) LABELS.set(one, new Set(one.endsWith('_bucket') ? ['le'] : []));
  }
  // The table names the labels of metrics that have no series yet, too; another test holds it to the metrics.
  const rows = read('docs/operations.md').matchAll(
    /^\| `([a-z_]+)` \| (?:gauge|counter|histogram) \| (.*?) \|/gm,
  );
  for (const [, name = '', cell = ''] of rows)
    for (const one of [name, ...['_bucket', '_sum', '_count'].map((end) => name + end)])
      for (const [label] of cell.replaceAll(/: [^;]*/g, '').matchAll(/(?<=`)\w+(?=`)/g))
        LABELS.get(one)?.add(label);
});
after(() => service.stop());

/** Checks the metrics, labels and values of a query. Returns the labels of its result, or undefined if it has all. */
function check(expr: string): string[] | undefined {
  const { selectors, groupings } = parseQuery(expr);
  assert.ok(selectors.length > 0, expr);
  const known = new Set(SCRAPE_LABELS);
  for (const { metric, matchers } of selectors) {
    const labels = LABELS.get(metric);
    assert.ok(labels !== undefined, `${metric} is no metric of the service: ${expr}`);
    for (const label of labels) known.add(label);
    for (const { label, value } of matchers) {
      assert.ok(labels.has(label) || SCRAPE_LABELS.includes(label), `${metric} has no label ${label}`);
      for (const one of value.split('|'))
        assert.ok(VALUES[label]?.includes(one) ?? true, `${label} is never "${one}": ${expr}`);
    }
  }
  for (const label of groupings) assert.ok(known.has(label), `nothing has the label ${label}: ${expr}`);
  return /\b(sum|max)\b/.test(expr) ? groupings : undefined;
}

describe('alert rules', () => {
  for (const { alert, expr, labels, annotations } of rules) {
    test(alert, () => {
      const result = check(expr);
      assert.match(String(labels.severity), /^(critical|warning|info)$/);
      for (const [, label = ''] of JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g))
        assert.ok(
          result?.includes(label) ?? SCRAPE_LABELS.includes(label),
          `the result has no label ${label}`,
        );
      assert.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`);
    });
  }

  const promtool = findPromtool();
  // In CI, they must run.
  const isSkipped =
    promtool === undefined && !process.env.CI && 'promtool is missing; npm run setup provides it';
  test('pass their own tests', { skip: isSkipped }, () => {
    const cwd = new URL('../../deploy/prometheus/', import.meta.url);
    for (const args of [
      ['check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync(promtool ?? 'promtool', args, { cwd, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    }
  });

  test('docs/runbook.md has exactly one section for each', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (Tracesmith\w+)$/gm)].map(([, name]) => name);
    assert.deepEqual(
      sections,
      rules.map(({ alert }) => alert),
    );
  });
});

describe('the Grafana dashboard', () => {
  for (const { title, expr, legendFormat } of targets) {
    test(`${title}: ${legendFormat}`, () => {
      const result = check(withoutVariables(expr));
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(
          result?.includes(label) ?? SCRAPE_LABELS.includes(label),
          `the result has no label ${label}`,
        );
    });
  }

  test('its variables are defined', () => {
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?([a-z]\w*)/g)].map(([, name = '']) => name);
    assert.deepEqual([...new Set(used)].sort(), names.sort());
    for (const { query } of dashboard.templating.list) {
      if (typeof query === 'string') continue;
      const [, metric = ''] = /^label_values\((\w+)/.exec(query.query) ?? [];
      assert.ok(LABELS.has(metric), query.query);
    }
  });

  test('its panels have ids of their own', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    assert.deepEqual([...new Set(ids)], ids);
  });
});
