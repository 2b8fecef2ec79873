import type { Viewer } from './viewer.ts';

const WHEEL_ZOOM_RATE = 0.002;
/** CSS pixels per unit of a wheel event: pixels, lines or pages. */
const WHEEL_UNITS_PX = [1, 16, 400];
const KEY_STEP_PX = 40;
/** A drag that starts this close to the split line moves the line instead of the image. */
const SPLIT_GRIP_PX = 14;

type Point = { x: number; y: number };

/** Controls the viewer by mouse, touch and keyboard. Calls `onSplit` while the split line is dragged. */
export function listenForGestures(viewer: Viewer, onSplit: () => void): void {
  const { element } = viewer;
  const pointers = new Map<number, Point>();
  let isDraggingSplit = false;

  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOf(event));
    isDraggingSplit = pointers.size === 1 && isNearSplit(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) {
      element.style.cursor = isNearSplit(event) ? 'ew-resize' : 'grab';
      return;
    }
    const before = [...pointers.values()];
    pointers.set(event.pointerId, pointOf(event));
    if (isDraggingSplit) dragSplit(event);
    else panAndZoom(viewer, before, [...pointers.values()]);
  });
  for (const name of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(name, (event) => pointers.delete(event.pointerId));
  element.addEventListener('wheel', (event) => zoomByWheel(viewer, event), { passive: false });
  element.addEventListener('keydown', (event) => {
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (!isShortcut && handleKey(viewer, event.key)) event.preventDefault();
  });

  function isNearSplit(event: PointerEvent): boolean {
    return Math.abs(pointOf(event).x - viewer.scene.splitPx) < SPLIT_GRIP_PX;
  }

  function dragSplit(event: PointerEvent): void {
    viewer.split = pointOf(event).x / viewer.scene.width;
    onSplit();
  }
}

function pointOf({ offsetX, offsetY }: MouseEvent): Point {
  return { x: offsetX, y: offsetY };
}

/** One pointer pans; two pan and zoom. */
function panAndZoom(viewer: Viewer, before: Point[], now: Point[]): void {
  const [from, to] = [midpoint(before), midpoint(now)];
  viewer.moveBy(to.x - from.x, to.y - from.y);
  const [a, b] = before;
  const [c, d] = now;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return;
  viewer.zoomBy(Math.hypot(c.x - d.x, c.y - d.y) / Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), to);
}

function midpoint(points: Point[]): Point {
  const [a = { x: 0, y: 0 }, b = a] = points;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function zoomByWheel(viewer: Viewer, event: WheelEvent): void {
  event.preventDefault();
  const deltaPx = event.deltaY * (WHEEL_UNITS_PX[event.deltaMode] ?? 1);
  viewer.zoomBy(Math.exp(-deltaPx * WHEEL_ZOOM_RATE), pointOf(event));
}

/** Returns whether the key has a function. */
function handleKey(viewer: Viewer, key: string): boolean {
  const actions: Record<string, () => void> = {
    '+': () => viewer.zoomIn(),
    '=': () => viewer.zoomIn(),
    '-': () => viewer.zoomIn(-1),
    '0': () => viewer.fit(),
    '1': () => viewer.actualSize(),
    ArrowLeft: () => viewer.moveBy(KEY_STEP_PX, 0),
    ArrowRight: () => viewer.moveBy(-KEY_STEP_PX, 0),
    ArrowUp: () => viewer.moveBy(0, KEY_STEP_PX),
    ArrowDown: () => viewer.moveBy(0, -KEY_STEP_PX),
  };
  actions[key]?.();
  return key in actions;
}
