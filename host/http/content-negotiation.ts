import { Problem } from '../errors/problem.ts';

export const JSON_TYPE = 'application/json';
export const SVG_TYPE = 'image/svg+xml';
export type AnswerType = typeof JSON_TYPE | typeof SVG_TYPE;

interface Range {
  type: string;
  quality: number;
}

/** The type to answer with, by the Accept header (RFC 9110, 12.5.1). JSON when the caller leaves it open. */
export function negotiate(accept: string | undefined): AnswerType {
  if (accept === undefined || accept.trim() === '') return JSON_TYPE;
  const ranges = accept.split(',').map(parseRange);
  const json = rate(JSON_TYPE, ranges);
  const svg = rate(SVG_TYPE, ranges);
  if (json.quality === 0 && svg.quality === 0) {
    throw new Problem('not_acceptable', `The answer can be ${JSON_TYPE} or ${SVG_TYPE}.`);
  }
  const svgIsAskedFor = svg.quality === json.quality && svg.precision > json.precision;
  return svg.quality > json.quality || svgIsAskedFor ? SVG_TYPE : JSON_TYPE;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice('q='.length));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The quality that the most precise matching range gives to a type: `a/b` before `a/*` before any. */
function rate(type: AnswerType, ranges: Range[]): { quality: number; precision: number } {
  const patterns = ['*/*', `${type.split('/')[0]}/*`, type];
  const matches = ranges.map(({ type: pattern, quality }) => ({
    quality,
    precision: patterns.indexOf(pattern),
  }));
  const none = { quality: 0, precision: -1 };
  return matches.reduce((best, match) => (match.precision > best.precision ? match : best), none);
}
