import type { Viewport } from './messages.ts';

export interface Size {
  width: number;
  height: number;
}

/** 3,200 %. */
export const MAX_SCALE = 32;
/** Free space around an image that fits the viewer, as a fraction of the viewer. */
const MARGIN = 0.04;
/** The fraction of the viewer that an image always reaches into. */
const MIN_VISIBLE = 0.1;

/** Centers the image and scales it to fit the viewer; small images are enlarged. */
export function fit(image: Size, viewer: Size): Viewport {
  const available = 1 - 2 * MARGIN;
  const scale = Math.min(
    (viewer.width * available) / image.width,
    (viewer.height * available) / image.height,
    MAX_SCALE,
  );
  return center(image, viewer, scale);
}

/** Centers the image at a scale. */
export function center(image: Size, viewer: Size, scale: number): Viewport {
  return {
    scale,
    x: (viewer.width - image.width * scale) / 2,
    y: (viewer.height - image.height * scale) / 2,
  };
}

/** Multiplies the scale by `factor`, but keeps it between `minScale` and `MAX_SCALE`. The image point at `at` stays there. */
export function zoom(
  viewport: Viewport,
  factor: number,
  at: { x: number; y: number },
  minScale: number,
): Viewport {
  const scale = Math.min(MAX_SCALE, Math.max(minScale, viewport.scale * factor));
  const ratio = scale / viewport.scale;
  return { scale, x: at.x - (at.x - viewport.x) * ratio, y: at.y - (at.y - viewport.y) * ratio };
}

/** Moves the image so that a part of it stays visible. */
export function keepVisible(viewport: Viewport, image: Size, viewer: Size): Viewport {
  const clamp = (offset: number, imageSize: number, viewerSize: number) =>
    Math.min(
      viewerSize * (1 - MIN_VISIBLE),
      Math.max(viewerSize * MIN_VISIBLE - imageSize * viewport.scale, offset),
    );
  return {
    scale: viewport.scale,
    x: clamp(viewport.x, image.width, viewer.width),
    y: clamp(viewport.y, image.height, viewer.height),
  };
}
