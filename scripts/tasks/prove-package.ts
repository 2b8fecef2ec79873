// Proves the npm packages: packed, installed elsewhere, and used as docs/embedding.md describes.
import { main, runTests, say, testFiles } from '../lib/command.ts';
import { installPackages } from '../release/package-users.ts';

main(() => {
  installPackages();
  say('The packed packages in Node.js, browsers and bundlers');
  // One after the other: they write to the same folders.
  runTests(testFiles('package', '.proof.ts'), { concurrency: 1 });
});
