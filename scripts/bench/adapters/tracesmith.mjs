// The project's own packages, which share one interface.
import { pathToFileURL } from 'node:url';

export async function load(place) {
  const { init, traceSync, memoryBytes, nativeProblem } = await import(pathToFileURL(place).href);
  // The native package falls back to WebAssembly, which must not be measured as native.
  if (nativeProblem !== undefined) throw nativeProblem;
  await init();
  const image = ({ mode, width, height, rgba }) => [{ width, height, data: rgba }, { colorMode: mode }];
  return {
    trace: (picture) => traceSync(...image(picture)),
    /** Calls `begin` at the start of each stage; older engines do not report stages. */
    watch(picture, begin) {
      traceSync(...image(picture), { onProgress: ({ stage }) => begin(stage) });
    },
    memoryBytes,
  };
}
