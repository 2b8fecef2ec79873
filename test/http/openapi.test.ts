import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type OptionSpec, optionTable, validateOptions } from 'tracesmith-wasm';
import { PROBLEM_CODES, PROBLEMS, problemType } from '../../host/errors/catalog.ts';
import { CHECK_ORDER } from '../../host/openapi/document.ts';
import { form, picture, Service } from './service.ts';
import { reference } from './support/documented.ts';

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.stop());

const logo = picture('logo.png');
const { Options } = reference.components.schemas as unknown as {
  Options: { properties: Record<string, unknown>; examples: object[] };
};

test('the service publishes the document, and it is OpenAPI 3.1', async () => {
  const { status, headers, text } = await service.get('/openapi.json');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(reference)));
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(text));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.1');
});

test('its examples of options work', async () => {
  for (const config of [...Options.examples, {}]) {
    const response = await service.post(form(logo, config));
    assert.equal(response.status, 200, `${JSON.stringify(config)}: ${response.text}`);
  }
});

test('its examples of responses match their schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false }).addSchema(reference, 'openapi');
  let count = 0;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { schema, example, examples } = node as Record<string, object>;
    const values = [example, ...Object.values(examples ?? {}).map((one) => one.value)];
    for (const value of values.filter((one) => schema !== undefined && one !== undefined)) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
      assert.ok(ajv.validate(absolute, value), `${JSON.stringify(value)}: ${ajv.errorsText()}`);
      count++;
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(reference);
  assert.ok(count > PROBLEM_CODES.length);
});

describe('the options of the validator and those of the document', () => {
  test('are the same', () => {
    assert.deepEqual(
      Object.keys(Options.properties),
      optionTable.map((row) => row.name),
    );
  });

  const ajv = new Ajv2020({ strict: false });
  const isDocumented = ajv.compile(Options);
  const values = [
    ...[-1, -0, 0, 0.5, 1, 4, 8, 8.5, 64, 100, 100.5, 128, 180, 181, 255, 256, 1e300],
    ...['', '4', 'color', 'binary', 'spline', 'polygon', 'none', 'Color', null, true, [], {}, [4]],
  ];
  for (const name of [...Object.keys(Options.properties), 'colourMode', '']) {
    test(`agree about every value of "${name}"`, () => {
      for (const value of values) {
        const config = { [name]: value };
        const isValid = validateOptions(config).length === 0;
        assert.equal(isDocumented(config), isValid, JSON.stringify(config));
      }
    });
  }
});

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/api.md');

test('docs/api.md has the same order of checks', () => {
  assert.ok(page.replaceAll(/\s+/g, ' ').includes(CHECK_ORDER));
  assert.ok(reference.paths['/v1/vectorize'].post.description.includes(CHECK_ORDER));
});

test('docs/api.md has the same errors', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.*) \|$/gm)];
  const expected = PROBLEM_CODES.map((code) => {
    const { status, when, headers = [], members = [], closesConnection } = problemType(code);
    const extra = [...headers.filter((name) => !when.includes(name)), ...members];
    const sentences = [
      when,
      ...(extra.length > 0 ? [`${extra.map((name) => `\`${name}\``).join(', ')}.`] : []),
    ];
    return [
      String(status),
      code,
      [...sentences, ...(closesConnection ? ['The connection closes.'] : [])].join(' '),
    ];
  });
  assert.deepEqual(
    rows.map(([, ...cells]) => cells),
    expected,
  );
  assert.equal(rows.length, Object.keys(PROBLEMS).length);
});

/** A row of the table of options, without the marks around words. */
function optionRow(row: OptionSpec): string {
  const range =
    row.type === 'number'
      ? `${row.min}–${row.max} ${row.unit}`
      : (row.type === 'flag' ? ['true', 'false'] : row.choices).join(', ');
  return `| ${row.name} | ${range} | ${row.default} | ${row.meaning} |`;
}

for (const path of ['docs/api.md', 'README.md']) {
  test(`${path} has the same options`, () => {
    const names = optionTable.map(({ name }) => name);
    const rows = read(path)
      .split('\n')
      .filter((line) => names.includes(/^\| `(\w+)` \|/.exec(line)?.[1] ?? ''));
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/[`"]|number, /g, '')),
      optionTable.map(optionRow),
    );
  });
}
