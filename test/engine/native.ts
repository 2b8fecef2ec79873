// Whether the tests of the native addon can run.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const addonFolder = fileURLToPath(new URL('../../bindings/node/', import.meta.url));

/** The file name of the addon that was built for this platform. */
export const addonFile = readdirSync(addonFolder).find((name) => name.endsWith('.node'));

// `npm test` sets the variable: empty if it did not build the addon, because Rust is missing.
const wasBuilt = process.env.TRACESMITH_NATIVE ?? addonFile ?? '';

/** For the `skip` option of tests: the reason, or false if the addon was built. */
export const skipWithoutAddon =
  wasBuilt === '' ? 'the native addon was not built: npm run build, with Rust installed, builds it' : false;

if (skipWithoutAddon && process.env.CI) throw new Error(`in CI no test may be skipped: ${skipWithoutAddon}`);
