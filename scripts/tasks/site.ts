// Writes the playground as static files for any web server: npm run site -- FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSite } from '../../host/site/build.ts';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
  console.error('Usage: npm run site -- FOLDER');
  process.exit(2);
}
for (const [path, { bytes }] of await buildSite('')) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
console.log(`Wrote ${join(folder, 'index.html')}. Serve it over HTTP: browsers start no workers from files.`);
