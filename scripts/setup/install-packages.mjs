// Installs the npm packages before each npm script. Plain JavaScript, because nothing else runs on a fresh clone.
// Usage: install-packages.mjs [run]   `run` installs what the service needs; without it, what tests and builds need too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 16];
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.tracesmith');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
  fail(`Node.js ${OLDEST_NODE.join('.')} or later is required; this is ${process.version}`);

const need = process.argv[2] ?? 'all';
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
// The stamp names the platform, because sharp and esbuild install a different binary for each.
const stampOf = (what) => `${lock} ${process.platform}-${process.arch} ${what}`;
const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
if (stamp !== stampOf('all') && stamp !== stampOf(need)) {
  // An install with --omit=dev removes development packages, so it is used only where they were never installed.
  const what = existsSync(modules) && !stamp.endsWith(' run') ? 'all' : need;
  install(what === 'run' ? ['--omit=dev'] : []);
  writeFileSync(stampFile, stampOf(what));
}

function install(flags) {
  console.error(['Installing npm packages: npm ci', ...flags].join(' '));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  if (npm('ci', ...flags, ...quiet)) return;
  // npm ci fails if the registry lacks another platform's optional package; npm install skips it.
  console.error('npm ci failed; trying npm install --no-save');
  if (!npm('install', '--no-save', ...flags, ...quiet))
    fail('npm could not install the packages: see its messages above. Is the registry reachable?');
}

/** Everything npm prints goes to stderr: stdout belongs to the command that runs next. */
function npm(...args) {
  const options = { cwd: root, stdio: ['inherit', 2, 2] };
  // npm.cmd cannot be started without a shell on Windows, but npm names its own script.
  const script = process.env.npm_execpath;
  const { status } = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return status === 0;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
