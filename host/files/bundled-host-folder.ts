/** All bundles with this module lie at the top of the folder. Files keep the paths that they have in host/. */
export const HOST_FOLDER = new URL('./', import.meta.url);
