/** Maps image coordinates to the viewer: image × scale + offset, in CSS pixels. */
export interface Viewport {
  scale: number;
  x: number;
  y: number;
}

/** What the viewer shows. */
export interface Scene {
  /** Size of the viewer in CSS pixels. */
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  devicePixelRatio: number;
  viewport: Viewport;
  /** The image is shown left of this position, the SVG right of it; in CSS pixels. */
  splitPx: number;
  outlines: boolean;
  nodes: boolean;
}

/** To the paint worker. Absent members stay as they are. */
export interface PaintMessage {
  canvas?: OffscreenCanvas;
  scene?: Scene;
  image?: Blob;
  /** Null removes the SVG. */
  svg?: Blob | null;
}
