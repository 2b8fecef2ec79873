import { TracesmithError } from './errors.ts';

/**
 * A picture: 8-bit RGBA, straight alpha, sRGB, rows top to bottom without padding, `width × height × 4` bytes.
 * A browser's `ImageData` is one as it is; so is a `Buffer`, or a view of part of a larger buffer.
 */
export interface ImageLike {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface CheckedImage {
  width: number;
  height: number;
  rgba: Uint8Array;
}

// The engine has its own bound; this one only keeps the numbers inside its unsigned 32 bits.
const MAX_SIDE_PX = 0xffff_ffff;

// The built-in getters: an object's own `length` or `byteLength` property can say anything. A type check by tag holds
// for arrays of another realm (an iframe, a vm context), where `instanceof` does not.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getterOf = (name: PropertyKey) =>
  Object.getOwnPropertyDescriptor(typedArray, name)?.get as () => unknown;
const tagOf = getterOf(Symbol.toStringTag);
const bufferOf = getterOf('buffer') as () => ArrayBuffer;
const byteOffsetOf = getterOf('byteOffset') as () => number;
const byteLengthOf = getterOf('byteLength') as () => number;

/** The bytes of a Uint8Array or Uint8ClampedArray, not copied; undefined for anything else. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  const tag = ArrayBuffer.isView(value) ? tagOf.call(value) : undefined;
  if (tag !== 'Uint8Array' && tag !== 'Uint8ClampedArray') return undefined;
  return new Uint8Array(
    detachedToEmpty(bufferOf.call(value)),
    byteOffsetOf.call(value),
    byteLengthOf.call(value),
  );
}

/** A detached buffer cannot be viewed, not even for zero bytes: an empty one stands for it. */
function detachedToEmpty(buffer: ArrayBuffer): ArrayBuffer {
  if (buffer.byteLength > 0) return buffer;
  return new ArrayBuffer(0);
}

/** Reads each property once and checks all that the engine relies on. */
export function checkImage(image: unknown): CheckedImage {
  if (typeof image !== 'object' || image === null) {
    throw new TracesmithError('invalid_image', 'image must be an object { width, height, data }');
  }
  const { width, height, data } = image as Record<string, unknown>;
  checkSide('width', width);
  checkSide('height', height);
  const rgba = bytesOf(data);
  if (rgba === undefined) {
    throw new TracesmithError('invalid_image', 'image.data must be a Uint8Array or a Uint8ClampedArray');
  }
  const expected = width * height * 4;
  if (rgba.length !== expected) {
    throw new TracesmithError(
      'invalid_length',
      `image.data has ${rgba.length} bytes: ${width} × ${height} × 4 is ${expected}`,
    );
  }
  return { width, height, rgba };
}

function checkSide(name: string, value: unknown): asserts value is number {
  const usable = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE_PX;
  if (usable) return;
  const received = typeof value === 'number' ? String(value) : typeof value;
  throw new TracesmithError(
    'invalid_dimensions',
    `image.${name} must be a whole number from 1 up, not ${received}`,
  );
}
