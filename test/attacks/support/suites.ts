import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The test images of other projects, from their source packages: too large to keep here, and under their own licences.

const CACHE = fileURLToPath(new URL('../../../.cache/torture', import.meta.url));
const IMAGE = /\.(png|apng|jpe?g|gif|bmp|dib|webp)$/i;

/** Source packages of PyPI, with the hash that pip checks. */
const PILLOW = {
  name: 'pillow',
  version: '11.3.0',
  sha256: '3828ee7586cd0b2091b6209e5ad53e20d0649bbe87164a459d0676e035e8f523',
};
const PYPNG = {
  name: 'pypng',
  version: '0.20220715.0',
  sha256: '739c433ba96f078315de54c0db975aee537cbc3e1d0ae4ed9aab0ca1e427e2c1',
};
/** A module of the Go project, with the hash that go.sum would hold. */
const GO_IMAGE = {
  path: 'golang.org/x/image',
  version: 'v0.24.0',
  sum: 'h1:AN7zRgVsbvmTfNyqIbbOraYL8mSwcKncEj8ofjgzcMQ=',
};

type Suite = () => Map<string, Buffer>;

/** Suites by name. Each gets its files at the first call, which needs pip or Go. */
export const SUITES: Record<string, Suite> = {
  'Pillow’s images, among them bmpsuite': () => imagesIn(join(unpacked(PILLOW), 'Tests', 'images')),
  'PngSuite, from pypng': pngSuite,
  'Go’s golang.org/x/image': () => imagesIn(goModule()),
  'Go’s standard library': () => imagesIn(join(run('go', ['env', 'GOROOT']).trim(), 'src', 'image')),
};

function run(command: string, args: string[], cwd = CACHE): string {
  mkdirSync(CACHE, { recursive: true });
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')} failed: the suites need Python with pip, and Go`, {
      cause: error,
    });
  }
}

/** The folder of an unpacked source package. */
function unpacked({ name, version, sha256 }: typeof PILLOW): string {
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const archive = `${folder}.tar.gz`;
  run('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--no-binary',
    ':all:',
    `${name}==${version}`,
  ]);
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (hash !== sha256) throw new Error(`${basename(archive)} has the SHA-256 ${hash}, not ${sha256}`);
  run('tar', ['xzf', archive]);
  return folder;
}

function goModule(): string {
  const { path, version, sum } = GO_IMAGE;
  const found = JSON.parse(run('go', ['mod', 'download', '-json', `${path}@${version}`]));
  if (found.Sum !== sum) throw new Error(`${path} ${version} has the hash ${found.Sum}, not ${sum}`);
  return found.Dir;
}

/** pypng keeps PngSuite as a Python module, each file as a hexadecimal string. */
function pngSuite(): Map<string, Buffer> {
  const text = readFileSync(join(unpacked(PYPNG), 'code', 'pngsuite.py'), 'utf8');
  const files = text.matchAll(/'(\w+)': _dehex\(b"""([\da-f\s]+)"""\)/g);
  return new Map(
    Array.from(files, ([, name = '', hex = '']) => [name, Buffer.from(hex.replace(/\s/g, ''), 'hex')]),
  );
}

function imagesIn(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => IMAGE.test(name));
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}
