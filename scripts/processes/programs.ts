// The arguments with which node runs the service's programs in the root of the repository: from their sources or, as tests are quicker
// then, from the folder of build:service that TRACESMITH_BUILT_SERVICE names.
import { join } from 'node:path';

const built = process.env.TRACESMITH_BUILT_SERVICE ?? '';

const program = (bundle: string, source: string) =>
  built === '' ? ['--import', 'tsx', source] : [join(built, bundle)];

export const serviceProgram = program('main.js', 'host/main.ts');
export const keysProgram = program('keys.js', 'host/cli/keys/main.ts');
