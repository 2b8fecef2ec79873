// Uses the types that openapi-typescript generated, with openapi-fetch: a drawing, an SVG, a refusal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './generated.js';

const [baseUrl = '', key = '', picture = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const file = new Blob([readFileSync(picture)]);

type Options = components['schemas']['Options'];

/** The generated types have a file as a string; what is sent is a form. */
function send(config: Options, accept = 'application/json') {
  return client.POST('/v1/vectorize', {
    body: { file: 'picture.png', config },
    bodySerializer: (body) => {
      const form = new FormData();
      form.set('file', file, body.file);
      form.set('config', JSON.stringify(body.config));
      return form;
    },
    headers: { Accept: accept },
    parseAs: accept === 'application/json' ? 'json' : 'text',
  });
}

const health = await client.GET('/readyz');
assert.equal(health.data?.status, 'ok');

const drawn = await send({ mode: 'polygon', filterSpeckle: 8 });
assert.equal(drawn.response.status, 200);
assert.ok(typeof drawn.data === 'object' && drawn.data.svg.startsWith('<svg '));
assert.ok(drawn.data.processingTime > 0);

const bare = await send({}, 'image/svg+xml');
assert.ok(typeof bare.data === 'string' && bare.data.startsWith('<svg '));

const refused = await send({ colorPrecision: 9 });
assert.equal(refused.error?.code, 'invalid_config');
assert.equal(refused.error?.errors?.[0]?.pointer, '/colorPrecision');

// @ts-expect-error A name that is no option does not compile.
const typo: Options = { colourMode: 'color' };
assert.equal((await send(typo)).error?.errors?.[0]?.pointer, '/colourMode');
