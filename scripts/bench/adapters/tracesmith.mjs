// The project's own packages: both have one surface.
import { pathToFileURL } from 'node:url';

export async function load(place) {
  const { init, traceSync, memoryBytes, nativeProblem } = await import(pathToFileURL(place).href);
  // The native package would go on in WebAssembly, and be measured as what it is not.
  if (nativeProblem !== undefined) throw nativeProblem;
  await init();
  const image = ({ mode, width, height, rgba }) => [{ width, height, data: rgba }, { colorMode: mode }];
  return {
    trace: (picture) => traceSync(...image(picture)),
    /** Tells `begin` of each stage as it begins; an engine from before it could tell says nothing. */
    watch(picture, begin) {
      traceSync(...image(picture), { onProgress: ({ stage }) => begin(stage) });
    },
    memoryBytes,
  };
}
