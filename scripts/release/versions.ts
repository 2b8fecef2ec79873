// Cargo.toml holds the version of everything that is published; `npm version --workspaces` sets the others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/command.ts';
import { lockedCrate } from '../setup/cargo-tools.ts';

const PACKAGES = ['', 'host/', 'bindings/wasm/', 'bindings/wasm/pkg/', 'bindings/node/'];
const CRATES = ['tracesmith', 'tracesmith-wasm', 'tracesmith-node'];

const text = (file: string) => readFileSync(join(root, file), 'utf8').replaceAll('\r', '');

export function version(): string {
  const workspace = text('Cargo.toml').split('[workspace.package]')[1];
  return /^version = "(.+)"$/m.exec(workspace ?? '')?.[1] ?? '';
}

/** Every file that contains the version, and the version in it. */
export function places(): Record<string, string | undefined> {
  const { packages } = JSON.parse(text('package-lock.json'));
  const locked = Object.keys(packages).filter((path) => !path.includes('node_modules'));
  return Object.fromEntries([
    ...CRATES.map((name) => [`Cargo.lock, ${name}`, lockedCrate(name)]),
    ...PACKAGES.map((folder) => [`${folder}package.json`, JSON.parse(text(`${folder}package.json`)).version]),
    ...locked.map((path) => [`package-lock.json, ${path || 'the root'}`, packages[path].version]),
  ]);
}

/** The places that disagree with Cargo.toml. */
export function versionProblems(): string[] {
  const wanted = version();
  const others = Object.entries(places()).filter(([, found]) => found !== wanted);
  return others.map(([where, found]) => `${where}: ${found ?? 'none'}, not ${wanted}`);
}

/** Whether the changelog has a dated section for this version. */
export function isInChangelog(): boolean {
  const heading = `## [${version()}] - `;
  const lines = text('CHANGELOG.md').split('\n');
  return lines.some((line) => line.startsWith(heading) && /\d{4}-\d{2}-\d{2}$/.test(line));
}
