// The playground: a picture is traced in the browser, by the engine that the service uses. It never leaves the browser.
import { byId } from './dom.ts';
import { listenForPictures } from './file-input.ts';
import { Panel } from './options-form.ts';
import { handle } from './pointer-input.ts';
import { Result } from './result-panel.ts';
import { Tracer } from './trace-client.ts';
import { Stage } from './viewer.ts';

/** While a slider moves, the picture is not traced for each step. */
const PAUSE_MS = 120;

const result = new Result();
const zoomShown = byId('zoom', HTMLOutputElement);
const stage = new Stage(byId('stage', HTMLCanvasElement), ({ view }) => {
  zoomShown.value = `${Math.round(view.scale * 100)} %`;
});
const tracer = new Tracer(loadEngine(), (done) => result.showProgress(done));
const panel = new Panel(byId('options', HTMLFormElement), () => traceSoon());
let picture: File | undefined;
let timer: number | undefined;

function show(file: File): void {
  picture = file;
  result.clear();
  stage.showPicture(file);
  void trace();
}

function traceSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(trace, PAUSE_MS) as unknown as number;
}

async function trace(): Promise<void> {
  if (picture === undefined) return;
  result.showWork(picture.name);
  try {
    const traced = await tracer.trace(picture, panel.options);
    if (traced === undefined) return;
    stage.showDrawing(traced.svg);
    result.showDrawing(traced);
  } catch (error) {
    result.showProblem(error instanceof Error ? error.message : String(error));
  }
}

function loadEngine(): Promise<WebAssembly.Module> {
  const engine = load('./engine_bg.wasm')
    .then((bytes) => WebAssembly.compile(bytes))
    .catch(() => {
      throw new Error('The engine does not run here: it needs a browser with WebAssembly SIMD.');
    });
  // Whoever traces is told.
  engine.catch(() => {});
  return engine;
}

async function load(name: string): Promise<ArrayBuffer> {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

function listen(): void {
  const split = byId('split', HTMLInputElement);
  split.addEventListener('input', () => {
    stage.split = Number(split.value) / 100;
  });
  handle(stage, () => {
    split.value = String(Math.round(stage.split * 100));
  });
  const buttons: Record<string, () => void> = {
    'zoom-in': () => stage.zoomIn(),
    'zoom-out': () => stage.zoomIn(-1),
    fit: () => stage.fit(),
    'actual-size': () => stage.actualSize(),
    stop: () => {
      tracer.cancel();
      result.showStopped();
    },
  };
  for (const [id, work] of Object.entries(buttons))
    byId(id, HTMLButtonElement).addEventListener('click', work);
  const [outlines, nodes] = [byId('outlines', HTMLInputElement), byId('nodes', HTMLInputElement)];
  for (const box of [outlines, nodes])
    box.addEventListener('change', () => {
      stage.overlay = { outlines: outlines.checked, nodes: nodes.checked };
    });
  listenForPictures(show);
}

listen();
const sample = await load('./sample.png');
// Somebody may have been faster.
if (picture === undefined) show(new File([sample], 'sample.png'));
