// The project's own packages: both have one surface.
import { pathToFileURL } from 'node:url';

export async function load(place) {
  const { init, traceSync, memoryBytes } = await import(pathToFileURL(place).href);
  await init();
  return {
    trace: ({ mode, ...image }) => traceSync({ ...image, data: image.rgba }, { colorMode: mode }),
    memoryBytes,
  };
}
