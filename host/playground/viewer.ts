import type { PaintMessage, Scene, Viewport } from './painting/messages.ts';
import { center, fit, keepVisible, type Size, zoom } from './painting/viewport.ts';

const ZOOM_STEP = 1.25;

/** The canvas that shows image and SVG side by side. Holds the scene; a worker paints it. */
export class Viewer {
  readonly element: HTMLCanvasElement;
  readonly #paintWorker: Worker;
  readonly #onChange: (scene: Readonly<Scene>) => void;
  #image: Size = { width: 1, height: 1 };
  #split = 0.5;
  /** Whether the image is fitted again when the size of the viewer changes. */
  #isFitted = true;
  readonly #scene: Scene = {
    width: 1,
    height: 1,
    devicePixelRatio: 1,
    viewport: { scale: 1, x: 0, y: 0 },
    splitPx: 0,
    outlines: false,
    nodes: false,
  };

  constructor(element: HTMLCanvasElement, onChange: (scene: Readonly<Scene>) => void) {
    this.element = element;
    this.#onChange = onChange;
    this.#paintWorker = new Worker(new URL('./paint-worker.js', import.meta.url), { type: 'module' });
    this.#paintWorker.onmessage = ({ data }: MessageEvent<Size>) => this.#setImageSize(data);
    const canvas = element.transferControlToOffscreen();
    this.#post({ canvas }, [canvas]);
    new ResizeObserver(() => this.#onResize()).observe(element);
  }

  get scene(): Readonly<Scene> {
    return this.#scene;
  }

  /** Shows another image and removes the SVG. */
  showImage(image: Blob): void {
    this.#post({ image, svg: null });
  }

  showSvg(svg: Blob): void {
    this.#post({ svg });
  }

  set overlay(overlay: Pick<Scene, 'outlines' | 'nodes'>) {
    Object.assign(this.#scene, overlay);
    this.#update();
  }

  /** The fraction of the viewer that shows the image, from 0 to 1; the rest shows the SVG. */
  set split(fraction: number) {
    this.#split = Math.min(1, Math.max(0, fraction));
    this.#update();
  }

  get split(): number {
    return this.#split;
  }

  fit(): void {
    this.#isFitted = true;
    this.#setViewport(fit(this.#image, this.#scene));
  }

  /** Shows one image pixel per CSS pixel. */
  actualSize(): void {
    this.#isFitted = false;
    this.#setViewport(center(this.#image, this.#scene, 1));
  }

  /** Zooms in at the center; a negative number of steps zooms out. */
  zoomIn(steps = 1): void {
    const { width, height } = this.#scene;
    this.zoomBy(ZOOM_STEP ** steps, { x: width / 2, y: height / 2 });
  }

  /** Zooms; the image point at `at` stays there. */
  zoomBy(factor: number, at: { x: number; y: number }): void {
    this.#isFitted = false;
    const minScale = Math.min(1, fit(this.#image, this.#scene).scale) / 2;
    this.#setViewport(zoom(this.#scene.viewport, factor, at, minScale));
  }

  moveBy(x: number, y: number): void {
    this.#isFitted = false;
    const { viewport } = this.#scene;
    this.#setViewport({ ...viewport, x: viewport.x + x, y: viewport.y + y });
  }

  #setImageSize(image: Size): void {
    const isSame = image.width === this.#image.width && image.height === this.#image.height;
    this.#image = image;
    if (isSame) this.#update();
    else this.fit();
  }

  #setViewport(viewport: Viewport): void {
    this.#scene.viewport = keepVisible(viewport, this.#image, this.#scene);
    this.#update();
  }

  #onResize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    Object.assign(this.#scene, { width, height, devicePixelRatio });
    if (this.#isFitted) this.fit();
    else this.#setViewport(this.#scene.viewport);
  }

  #update(): void {
    this.#scene.splitPx = this.#split * this.#scene.width;
    this.#post({ scene: this.#scene });
    this.#onChange(this.#scene);
  }

  #post(message: PaintMessage, transfer: Transferable[] = []): void {
    this.#paintWorker.postMessage(message, transfer);
  }
}
