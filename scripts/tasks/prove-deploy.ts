// Checks deploy/ with the usual linters, and rehearses the image: npm run prove-deploy
import { main, runTests, say, testFiles } from '../lib/command.ts';
import { installLinters } from '../setup/deploy-linters.ts';

main(() => {
  installLinters();
  say('The files of deploy/, and the steps of the image');
  runTests(testFiles('deploy', '.proof.ts'));
});
