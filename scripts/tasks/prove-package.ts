// Proves the npm packages: packed, installed elsewhere, and used as docs/embedding.md describes.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { main, runTests, say } from '../lib/command.ts';
import { installPackages } from '../release/package-users.ts';

const folder = join('test', 'package');

main(() => {
  installPackages();
  say('The packed packages in Node.js, browsers and bundlers');
  const proofs = readdirSync(folder).filter((name) => name.endsWith('.proof.ts'));
  runTests(proofs.map((name) => join(folder, name)));
});
