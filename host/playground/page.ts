// The playground traces images in the browser, with the same engine as the service. It does not upload them.
import { byId } from './dom.ts';
import { listenForImages } from './file-input.ts';
import { OptionsForm } from './options-form.ts';
import { listenForGestures } from './pointer-input.ts';
import { ResultPanel } from './result-panel.ts';
import { TraceClient } from './trace-client.ts';
import { Viewer } from './viewer.ts';

/** Delay before tracing after an option changes, so that a moving slider does not start a trace at each step. */
const DEBOUNCE_MS = 120;

const result = new ResultPanel();
const zoomOutput = byId('zoom', HTMLOutputElement);
const viewer = new Viewer(byId('viewer', HTMLCanvasElement), ({ viewport }) => {
  zoomOutput.value = `${Math.round(viewport.scale * 100)} %`;
});
const traceClient = new TraceClient(loadEngine(), (progress) => result.showProgress(progress));
const form = new OptionsForm(byId('options', HTMLFormElement), () => traceSoon());
let image: File | undefined;
let timer: number | undefined;

function open(file: File): void {
  image = file;
  result.clear();
  viewer.showImage(file);
  void trace();
}

function traceSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(trace, DEBOUNCE_MS) as unknown as number;
}

async function trace(): Promise<void> {
  if (image === undefined) return;
  result.showTracing(image.name);
  try {
    const traced = await traceClient.trace(image, form.options);
    if (traced === undefined) return;
    viewer.showSvg(traced.svg);
    result.showTraced(traced);
  } catch (error) {
    result.showError(error instanceof Error ? error.message : String(error));
  }
}

function loadEngine(): Promise<WebAssembly.Module> {
  const engine = load('./engine_gradients_bg.wasm')
    .then((bytes) => WebAssembly.compile(bytes))
    .catch(() => {
      throw new Error('The engine could not be loaded. It requires a browser with WebAssembly SIMD.');
    });
  // Each trace reports the error; without this handler, the browser would report it as unhandled.
  engine.catch(() => {});
  return engine;
}

async function load(name: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

function addListeners(): void {
  const split = byId('split', HTMLInputElement);
  split.addEventListener('input', () => {
    viewer.split = Number(split.value) / 100;
  });
  listenForGestures(viewer, () => {
    split.value = String(Math.round(viewer.split * 100));
  });
  const buttons: Record<string, () => void> = {
    'zoom-in': () => viewer.zoomIn(),
    'zoom-out': () => viewer.zoomIn(-1),
    fit: () => viewer.fit(),
    'actual-size': () => viewer.actualSize(),
    stop: () => {
      traceClient.cancel();
      result.showStopped();
    },
  };
  for (const [id, action] of Object.entries(buttons))
    byId(id, HTMLButtonElement).addEventListener('click', action);
  const [outlines, nodes] = [byId('outlines', HTMLInputElement), byId('nodes', HTMLInputElement)];
  for (const box of [outlines, nodes])
    box.addEventListener('change', () => {
      viewer.overlay = { outlines: outlines.checked, nodes: nodes.checked };
    });
  listenForImages(open);
}

addListeners();
const sample = await load('./sample.png');
// Unless the user has opened an image already.
if (image === undefined) open(new File([sample], 'sample.png'));
