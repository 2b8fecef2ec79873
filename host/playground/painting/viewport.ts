import type { View } from './messages.ts';

export interface Size {
  width: number;
  height: number;
}

/** 3,200 %. */
export const MAX_SCALE = 32;
/** Free space around a picture that fits its stage. */
const MARGIN = 0.04;
/** Part of the stage that a picture cannot be moved out of. */
const KEPT = 0.1;

/** The whole picture in the middle of the stage; small pictures enlarged, so that there is something to see. */
export function fit(picture: Size, stage: Size): View {
  const room = 1 - 2 * MARGIN;
  const scale = Math.min(
    (stage.width * room) / picture.width,
    (stage.height * room) / picture.height,
    MAX_SCALE,
  );
  return center(picture, stage, scale);
}

export function center(picture: Size, stage: Size, scale: number): View {
  return {
    scale,
    x: (stage.width - picture.width * scale) / 2,
    y: (stage.height - picture.height * scale) / 2,
  };
}

/** A view with another scale, in which the point of the picture at `x`, `y` of the stage stays where it is. */
export function zoom(view: View, factor: number, at: { x: number; y: number }, least: number): View {
  const scale = Math.min(MAX_SCALE, Math.max(least, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** A view from which the picture cannot get lost. */
export function keep(view: View, picture: Size, stage: Size): View {
  const bound = (offset: number, size: number, room: number) =>
    Math.min(room * (1 - KEPT), Math.max(room * KEPT - size * view.scale, offset));
  return {
    scale: view.scale,
    x: bound(view.x, picture.width, stage.width),
    y: bound(view.y, picture.height, stage.height),
  };
}
