// Installs missing npm packages before each npm script. Plain JavaScript, because nothing else runs on a fresh clone.
// Usage: install-packages.mjs [run]   `run` installs what the service needs; without it, what tests and builds need too.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 16];
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
  fail(`Node.js ${OLDEST_NODE.join('.')} or later is required; this is ${process.version}`);

const locked = Object.entries(readJson('package-lock.json').packages).filter(([path]) =>
  path.includes('node_modules/'),
);
const needsDevelopment = process.argv[2] !== 'run';
const missing = locked.filter(
  ([path, entry]) => (needsDevelopment || !entry.dev) && isForThisMachine(entry) && !isInstalled(path, entry),
);
if (missing.length > 0) {
  // An install with --omit=dev removes development packages, so it is used only where there are none.
  const hasDevelopment = locked.some(([path, entry]) => entry.dev && isInstalled(path, entry));
  install(needsDevelopment || hasDevelopment ? '--include=dev' : '--omit=dev');
}

/**
 * Whether a package must be there. npm omits binaries for other platforms; those that name a C library are alternatives
 * to each other, and which one fits is npm's to find out.
 */
function isForThisMachine({ optional, os, cpu, libc }) {
  const fits = (list, value) => list === undefined || list.includes(value);
  if (!optional) return true;
  return os !== undefined && libc === undefined && fits(os, process.platform) && fits(cpu, process.arch);
}

function isInstalled(path, { version, link }) {
  try {
    const found = readJson(join(path, 'package.json'));
    return link === true || found.version === version;
  } catch {
    return false;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function install(flag) {
  console.error(`Installing npm packages: npm ci ${flag}`);
  const flags = [flag, '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm('ci', ...flags)) return;
  // npm ci fails if the registry lacks another platform's optional package; npm install skips it.
  console.error('npm ci failed; trying npm install --no-save');
  if (!npm('install', '--no-save', ...flags))
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
