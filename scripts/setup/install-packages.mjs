// Puts npm's packages in place; plain JavaScript, because on a fresh clone nothing else can run yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 16];
const stampFile = join(root, 'node_modules', '.tracesmith');

/** Installs what `need` asks for, `run` (the service) or `all` (tests and builds too), unless it is there. */
export function ensurePackages(need) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isRecent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (!isRecent) fail(`Node.js ${OLDEST_NODE.join('.')} or later is needed, not ${process.version}`);
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const have = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  // The platform is part of it: sharp's and tsx's packages are chosen by it, and a folder can move between two.
  const wanted = (what) => `${lock} ${process.platform}-${process.arch} ${what}`;
  if (have === wanted('all') || have === wanted(need)) return;
  // The service's own packages only into an empty place: elsewhere npm would remove those that tests and builds use.
  const what = existsSync(dirname(stampFile)) && !have.endsWith(' run') ? 'all' : need;
  install(what);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted(what));
}

function install(need) {
  const flags = need === 'run' ? ['--omit=dev'] : [];
  // To stderr: stdout belongs to the command that is to run.
  console.error(['Installing npm packages: npm ci', ...flags].join(' '));
  flags.push('--no-audit', '--no-fund', '--loglevel=error');
  if (npm(['ci', ...flags])) return;
  // npm ci wants every platform's optional packages in the registry, also those this machine has no use for.
  console.error('npm ci refused the lock file; trying npm install --no-save');
  if (npm(['install', '--no-save', ...flags])) return;
  fail('npm could install its packages neither way: its messages are above (is the registry in reach?)');
}

function npm(args) {
  // Under `npm run`, npm names its own script; npm.cmd on Windows cannot be started without a shell.
  const script = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['inherit', 2, 2] };
  const result = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return result.status === 0;
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
