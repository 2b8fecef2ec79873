// Builds the service for production: npm run build:service -- [FOLDER]
import { resolve } from 'node:path';
import { main } from '../lib/command.ts';
import { buildService, serviceFolder } from '../release/service-folder.ts';

main(async () => {
  const folder = resolve(process.argv[2] ?? serviceFolder);
  await buildService(folder);
  console.log(`Wrote ${folder}. Start the service with node main.js, or copy the folder to where it runs.`);
});
