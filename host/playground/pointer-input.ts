import type { Stage } from './viewer.ts';

const WHEEL_RATE = 0.002;
/** A wheel that counts lines or pages instead of pixels. */
const WHEEL_UNITS_PX = [1, 16, 400];
const KEY_STEP_PX = 40;
/** How near to the split a drag moves it instead of the picture. */
const GRIP_PX = 14;

type Point = { x: number; y: number };

/** Moves the stage by mouse, touch and keyboard. `onSplit` is told when the split is dragged. */
export function handle(stage: Stage, onSplit: () => void): void {
  const { element } = stage;
  const pointers = new Map<number, Point>();
  let isSplitting = false;

  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOf(event));
    isSplitting = pointers.size === 1 && isNearSplit(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) {
      element.style.cursor = isNearSplit(event) ? 'ew-resize' : 'grab';
      return;
    }
    const before = [...pointers.values()];
    pointers.set(event.pointerId, pointOf(event));
    if (isSplitting) dragSplit(event);
    else followFingers(stage, before, [...pointers.values()]);
  });
  for (const name of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(name, (event) => pointers.delete(event.pointerId));
  element.addEventListener('wheel', (event) => zoomByWheel(stage, event), { passive: false });
  element.addEventListener('keydown', (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && press(stage, event.key)) event.preventDefault();
  });

  function isNearSplit(event: PointerEvent): boolean {
    return Math.abs(pointOf(event).x - stage.scene.splitPx) < GRIP_PX;
  }

  function dragSplit(event: PointerEvent): void {
    stage.split = pointOf(event).x / stage.scene.width;
    onSplit();
  }
}

function pointOf({ offsetX, offsetY }: MouseEvent): Point {
  return { x: offsetX, y: offsetY };
}

/** One finger moves; two move and zoom. */
function followFingers(stage: Stage, before: Point[], now: Point[]): void {
  const [from, to] = [middle(before), middle(now)];
  stage.moveBy(to.x - from.x, to.y - from.y);
  const [a, b] = before;
  const [c, d] = now;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return;
  stage.zoomBy(Math.hypot(c.x - d.x, c.y - d.y) / Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), to);
}

function middle(points: Point[]): Point {
  const [a = { x: 0, y: 0 }, b = a] = points;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function zoomByWheel(stage: Stage, event: WheelEvent): void {
  event.preventDefault();
  const movedPx = event.deltaY * (WHEEL_UNITS_PX[event.deltaMode] ?? 1);
  stage.zoomBy(Math.exp(-movedPx * WHEEL_RATE), pointOf(event));
}

/** Whether the key means something here. */
function press(stage: Stage, key: string): boolean {
  const moves: Record<string, () => void> = {
    '+': () => stage.zoomIn(),
    '=': () => stage.zoomIn(),
    '-': () => stage.zoomIn(-1),
    '0': () => stage.fit(),
    '1': () => stage.actualSize(),
    ArrowLeft: () => stage.moveBy(KEY_STEP_PX, 0),
    ArrowRight: () => stage.moveBy(-KEY_STEP_PX, 0),
    ArrowUp: () => stage.moveBy(0, KEY_STEP_PX),
    ArrowDown: () => stage.moveBy(0, -KEY_STEP_PX),
  };
  moves[key]?.();
  return key in moves;
}
