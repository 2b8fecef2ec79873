// One version for everything that is published. Cargo.toml's is the one that counts; the others are held to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/command.ts';
import { lockedCrate } from '../setup/wasm-tools.ts';

const MANIFESTS = [
  'package.json',
  'host/package.json',
  'bindings/wasm/package.json',
  'bindings/wasm/pkg/package.json',
  'bindings/node/package.json',
];
const CRATES = ['tracesmith', 'tracesmith-wasm', 'tracesmith-node'];
const OURS = /^tracesmith(-|$)/;

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A place that names the version, and the version that it names. */
export interface Place {
  where: string;
  version: string | undefined;
}

const text = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll('\r', '');

/** The version of everything here. */
export function version(): string {
  const workspace = text('Cargo.toml').split('[workspace.package]')[1];
  return /^version = "(.+)"$/m.exec(workspace ?? '')?.[1] ?? '';
}

export function places(): Place[] {
  const dependency = /^tracesmith = \{.*version = "(.+?)".*\}$/m.exec(text('Cargo.toml'))?.[1];
  const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, Manifest> };
  const locked = Object.entries(packages).filter(([path]) => !path.includes('node_modules'));
  return [
    { where: 'Cargo.toml, the dependency on the engine', version: dependency },
    ...CRATES.map((name) => ({ where: `Cargo.lock, ${name}`, version: lockedCrate(name) })),
    ...MANIFESTS.flatMap((file) => inManifest(file, JSON.parse(text(file)))),
    ...locked.flatMap(([path, entry]) => inManifest(`package-lock.json, ${path || 'the root'}`, entry)),
  ];
}

function inManifest(file: string, { version, dependencies, optionalDependencies }: Manifest): Place[] {
  const ours = Object.entries({ ...dependencies, ...optionalDependencies }).filter(([name]) =>
    OURS.test(name),
  );
  const named = ours.map(([name, wanted]) => ({
    where: `${file}, the dependency on ${name}`,
    version: wanted,
  }));
  return [{ where: file, version }, ...named];
}

/** What disagrees with Cargo.toml. */
export function versionProblems(): string[] {
  const wanted = version();
  const others = places().filter((place) => place.version !== wanted);
  return others.map((place) => `${place.where}: ${place.version ?? 'none'}, not ${wanted}`);
}

/** Whether the changelog has a section for this version, with its date. */
export function isInChangelog(): boolean {
  const heading = `## [${version()}] - `;
  return text('CHANGELOG.md')
    .split('\n')
    .some((line) => line.startsWith(heading) && /\d{4}-\d{2}-\d{2}$/.test(line));
}
