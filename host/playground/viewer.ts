import type { PaintMessage, Scene, View } from './painting/messages.ts';
import { center, fit, keep, type Size, zoom } from './painting/viewport.ts';

const ZOOM_STEP = 1.25;

/** The canvas on which picture and drawing lie: what of them is seen, and how. A worker paints it. */
export class Stage {
  readonly element: HTMLCanvasElement;
  readonly #painter: Worker;
  readonly #onChange: (scene: Readonly<Scene>) => void;
  #picture: Size = { width: 1, height: 1 };
  #split = 0.5;
  /** Whether the view follows the size of the window. */
  #isFitted = true;
  readonly #scene: Scene = {
    width: 1,
    height: 1,
    density: 1,
    view: { scale: 1, x: 0, y: 0 },
    splitPx: 0,
    outlines: false,
    nodes: false,
  };

  constructor(element: HTMLCanvasElement, onChange: (scene: Readonly<Scene>) => void) {
    this.element = element;
    this.#onChange = onChange;
    this.#painter = new Worker(new URL('./paint-worker.js', import.meta.url), { type: 'module' });
    this.#painter.onmessage = ({ data }: MessageEvent<Size>) => this.#resize(data);
    const canvas = element.transferControlToOffscreen();
    this.#tell({ canvas }, [canvas]);
    new ResizeObserver(() => this.#measure()).observe(element);
  }

  get scene(): Readonly<Scene> {
    return this.#scene;
  }

  /** Shows another picture, whole, and no drawing yet. */
  showPicture(picture: Blob): void {
    this.#tell({ picture, drawing: null });
  }

  showDrawing(drawing: Blob): void {
    this.#tell({ drawing });
  }

  set overlay(shown: Pick<Scene, 'outlines' | 'nodes'>) {
    Object.assign(this.#scene, shown);
    this.#update();
  }

  /** From 0, all drawing, to 1, all picture. */
  set split(share: number) {
    this.#split = Math.min(1, Math.max(0, share));
    this.#update();
  }

  get split(): number {
    return this.#split;
  }

  fit(): void {
    this.#isFitted = true;
    this.#look(fit(this.#picture, this.#scene));
  }

  /** One pixel of the picture is one of the window. */
  actualSize(): void {
    this.#isFitted = false;
    this.#look(center(this.#picture, this.#scene, 1));
  }

  zoomIn(steps = 1): void {
    const { width, height } = this.#scene;
    this.zoomBy(ZOOM_STEP ** steps, { x: width / 2, y: height / 2 });
  }

  /** Zooms with the point `at` of the stage held in place. */
  zoomBy(factor: number, at: { x: number; y: number }): void {
    this.#isFitted = false;
    const least = Math.min(1, fit(this.#picture, this.#scene).scale) / 2;
    this.#look(zoom(this.#scene.view, factor, at, least));
  }

  moveBy(x: number, y: number): void {
    this.#isFitted = false;
    const { view } = this.#scene;
    this.#look({ ...view, x: view.x + x, y: view.y + y });
  }

  /** Another picture is there. */
  #resize(picture: Size): void {
    const isSame = picture.width === this.#picture.width && picture.height === this.#picture.height;
    this.#picture = picture;
    if (isSame) this.#update();
    else this.fit();
  }

  #look(view: View): void {
    this.#scene.view = keep(view, this.#picture, this.#scene);
    this.#update();
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    Object.assign(this.#scene, { width, height, density: devicePixelRatio });
    if (this.#isFitted) this.fit();
    else this.#look(this.#scene.view);
  }

  #update(): void {
    this.#scene.splitPx = this.#split * this.#scene.width;
    this.#tell({ scene: this.#scene });
    this.#onChange(this.#scene);
  }

  #tell(message: PaintMessage, transfer: Transferable[] = []): void {
    this.#painter.postMessage(message, transfer);
  }
}
