// What is shipped with a package for the law: this project's licenses, and the notices of the crates that are compiled into it.
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { output, root, StepFailed } from '../lib/command.ts';
import { crateSources, type Rust } from '../setup/rust-toolchain.ts';

/** npm packs by itself what is called LICENSE, and nothing like it. */
export const LICENSES = ['LICENSE-MIT', 'LICENSE-APACHE'];
export const NOTICES = 'THIRD-PARTY-NOTICES';

interface Crate {
  name: string;
  version: string;
  license: string;
}

const HEAD = `The code in this package contains that of the crates below, and of Rust's standard library (The Rust Project
Contributors, MIT OR Apache-2.0). Those that can be had under the Apache License, Version 2.0, are used under that: its text is in
LICENSE-APACHE.
`;

export function copyLicenses(folder: string): void {
  for (const name of LICENSES) copyFileSync(join(root, name), join(folder, name));
}

/** The notices of a workspace's crate as it is compiled for a target. */
export function noticesOf(crate: string, target: string, rust: Rust): string {
  const sources = crateSources(rust, target);
  const all = compiledIn(crate, target, rust);
  const line = ({ name, version, license }: Crate) => `  ${name} ${version} (${license})\n`;
  const quoted = all.filter(({ license }) => !license.includes('Apache-2.0') || license.includes(' AND '));
  const texts = quoted.map(
    (found) => `\n${'-'.repeat(72)}\n${found.name} ${found.version}\n\n${textOf(found, sources)}`,
  );
  return [HEAD, '\n', ...all.map(line), ...texts].join('');
}

/** Other people's crates, without what only runs while it is compiled. */
function compiledIn(crate: string, target: string, rust: Rust): Crate[] {
  const edges = ['--edges', 'normal,no-proc-macro', '--prefix', 'none', '--format', '{p}|{l}'];
  const tree = output('cargo', ['tree', '--locked', '--package', crate, '--target', target, ...edges], {
    env: rust.env,
  });
  if (tree === undefined) throw new StepFailed(`cargo tree does not know what ${crate} is made of`);
  // One of the workspace is followed by its folder, one that was named before by an asterisk.
  const lines = tree.split('\n').map((line) => line.replace(/ \(\*\)$/, ''));
  const found = [...new Set(lines)].sort().map((line) => /^(\S+) v(\S+)\|(.+)$/.exec(line));
  return found
    .filter((match) => match !== null)
    .map(([, name = '', version = '', license = '']) => ({ name, version, license }));
}

/** A crate's license; of several to choose from, the MIT license. */
function textOf({ name, version, license }: Crate, sources: string[]): string {
  const folder = sources.map((source) => join(source, `${name}-${version}`)).find(existsSync);
  if (folder === undefined) throw new StepFailed(`the source of ${name} ${version} is not on this machine`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const licenses = files.filter((file) => /^(licen[cs]e|copying)/i.test(basename(file)));
  const chosen = licenses.filter((file) =>
    license.includes(' AND ') ? !/apache/i.test(file) : /mit/i.test(basename(file)),
  );
  const texts = (chosen.length > 0 ? chosen : licenses).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  if (texts.length > 0) return [...new Set(texts.map((text) => `${text.trim()}\n`))].join('\n');
  if (license !== 'MIT') throw new StepFailed(`${name} ${version} (${license}) comes without its license`);
  const authors = /^authors = \[([^\]]*)\]/m.exec(readFileSync(join(folder, 'Cargo.toml'), 'utf8'))?.[1];
  const holders = [...(authors ?? '').matchAll(/"([^"<]+)/g)].map(([, holder]) => holder?.trim());
  const mit = readFileSync(join(root, 'LICENSE-MIT'), 'utf8');
  return mit.replace(/^Copyright.*$/m, `Copyright (c) ${holders.join(', ') || `the authors of ${name}`}`);
}
