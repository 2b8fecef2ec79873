// Proves the WebAssembly package as it would be published: packed, installed elsewhere, and used as docs/embedding.md says.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureChromium } from './chromium.ts';
import { cache, main, output, root, run, StepFailed, say } from './command.ts';
import { ensureKit, kitFolder } from './kit.ts';
import { committedPackage } from './stamp.ts';

const folder = join(root, 'test', 'package');
const QUIET = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];

/** Packs the package and puts it into the users' folder, as npm would from a registry. */
function installPackage(): void {
  const packed = output('npm', ['pack', '--silent', '--pack-destination', cache], { cwd: committedPackage });
  if (packed === undefined) throw new StepFailed('npm pack failed');
  run('npm', ['install', '--no-save', ...QUIET, join(cache, packed)], { cwd: kitFolder('package-users') });
}

main(() => {
  if (process.env.CI) ensureChromium();
  ensureKit({
    name: 'package-users',
    source: join(folder, 'users'),
    // No lock file: it would have to name the other platforms' binaries, which not every registry has.
    list: 'package.json',
    install: (folder) => run('npm', ['install', ...QUIET], { cwd: folder }),
  });
  installPackage();
  say('The packed package, where it may be used');
  const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
  const proofs = readdirSync(folder).filter((name) => name.endsWith('.proof.ts'));
  const files = proofs.map((name) => join(folder, name));
  run(process.execPath, ['--import', tsx, '--test', '--test-reporter=spec', ...files]);
});
