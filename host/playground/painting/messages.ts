/** How the picture lies in the window of the stage: picture × scale + offset, in CSS pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** What the stage shows. */
export interface Scene {
  /** Of the stage, in CSS pixels. */
  width: number;
  height: number;
  /** Device pixels in a CSS pixel. */
  density: number;
  view: View;
  /** Left of this the picture is shown, right of it the drawing; in CSS pixels. */
  splitPx: number;
  outlines: boolean;
  nodes: boolean;
}

/** To the worker that paints. */
export interface PaintMessage {
  canvas?: OffscreenCanvas;
  scene?: Scene;
  picture?: Blob;
  /** Absent in a message about something else; null while there is none. */
  drawing?: Blob | null;
}
