import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type * as Wasm from 'tracesmith-wasm';
import { cache } from '../../scripts/lib/command.ts';
import {
  committedPackage,
  committedPng,
  PNG_SOURCES,
  readStamp,
  staleness,
} from '../../scripts/package/freshness.ts';
import { images, optionSets } from '../engine/images.ts';

const proof = join(cache, 'proof');
const [committed, rebuilt] = [readStamp(committedPackage), readStamp(proof)];
const sameCompiler = committed?.rustc === rebuilt?.rustc;

test('the stamp is of these sources and these files', () => {
  assert.equal(staleness(committedPackage), undefined);
});

test('so it is for the PNG decoder', () => {
  const again = join(cache, 'proof-png');
  assert.equal(staleness(committedPng, PNG_SOURCES), undefined);
  if (readStamp(committedPng)?.rustc !== readStamp(again)?.rustc) return;
  assert.deepEqual(readStamp(again), readStamp(committedPng));
});

const otherCompiler = `built here with ${rebuilt?.rustc}, committed with ${committed?.rustc}: drawings are compared instead`;
test('every file is equal, byte for byte', { skip: sameCompiler ? false : otherCompiler }, () => {
  for (const name of Object.keys(committed?.files ?? {})) {
    assert.ok(readFileSync(join(committedPackage, name)).equals(readFileSync(join(proof, name))), name);
  }
  assert.deepEqual(rebuilt, committed);
});

test('every drawing is equal', async () => {
  const load = (folder: string): Promise<typeof Wasm> => import(pathToFileURL(join(folder, 'index.js')).href);
  const [ours, theirs] = await Promise.all([load(committedPackage), load(proof)]);
  // First the engine without gradients, which the other one then replaces.
  for (const gradients of [false, true]) {
    await Promise.all([ours, theirs].map((engine) => engine.init({ gradients })));
    const sets = optionSets.filter((options) => gradients || options.gradients !== true);
    for (const [name, image] of Object.entries(images)) {
      for (const options of sets) {
        const expected = ours.traceSync(image, options);
        assert.equal(theirs.traceSync(image, options), expected, `${name} ${JSON.stringify(options)}`);
      }
    }
  }
});
