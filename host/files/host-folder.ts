/** The folder of the service's files. In the production build, `bundled-host-folder.ts` takes this module's place. */
export const HOST_FOLDER = new URL('../', import.meta.url);
