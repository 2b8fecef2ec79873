import { describe } from './describe.ts';
import { TracesmithError } from './errors.ts';

/**
 * An image: 8-bit RGBA, straight alpha, sRGB, rows from top to bottom without padding, `width × height × 4` bytes.
 * A browser's `ImageData` has this form. `data` may be a `Buffer` or a view of part of a larger buffer.
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

// The engine's limit. It is checked here first, because a length that follows from a wrong side explains nothing.
const MAX_SIDE_PX = 65_535;

// The prototype's getters, because an object can define a `length` or `byteLength` of its own. The tag identifies arrays
// of another realm (an iframe, a vm context) as well, where `instanceof` fails.
const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getterOf = (name: PropertyKey) =>
  Object.getOwnPropertyDescriptor(typedArrayPrototype, name)?.get as () => unknown;
const tagOf = getterOf(Symbol.toStringTag);
const bufferOf = getterOf('buffer') as () => ArrayBuffer;
const byteOffsetOf = getterOf('byteOffset') as () => number;
const byteLengthOf = getterOf('byteLength') as () => number;

/** A view of the bytes of a Uint8Array or Uint8ClampedArray, without a copy; undefined for any other value. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  const tag = ArrayBuffer.isView(value) ? tagOf.call(value) : undefined;
  if (tag !== 'Uint8Array' && tag !== 'Uint8ClampedArray') return undefined;
  return new Uint8Array(
    detachedToEmpty(bufferOf.call(value)),
    byteOffsetOf.call(value),
    byteLengthOf.call(value),
  );
}

/** A view of a detached buffer cannot be created, not even of zero bytes; an empty buffer replaces it. */
function detachedToEmpty(buffer: ArrayBuffer): ArrayBuffer {
  if (buffer.byteLength > 0) return buffer;
  return new ArrayBuffer(0);
}

/** Reads each property once and checks everything that the engine relies on. */
export function checkImage(image: unknown): CheckedImage {
  if (typeof image !== 'object' || image === null) {
    throw new TracesmithError(
      'invalid_image',
      `image must be an object { width, height, data }, not ${describe(image)}`,
    );
  }
  const { width, height, data } = image as Record<string, unknown>;
  checkSide('width', width);
  checkSide('height', height);
  const rgba = bytesOf(data);
  if (rgba === undefined) {
    throw new TracesmithError(
      'invalid_image',
      `image.data must be a Uint8Array or a Uint8ClampedArray, not ${describe(data)}`,
    );
  }
  const expected = width * height * 4;
  if (rgba.length !== expected) {
    throw new TracesmithError(
      'invalid_length',
      `image.data must have ${width} × ${height} × 4 = ${expected} bytes, not ${rgba.length}`,
    );
  }
  return { width, height, rgba };
}

function checkSide(name: string, value: unknown): asserts value is number {
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE_PX;
  if (isValid) return;
  throw new TracesmithError(
    'invalid_dimensions',
    `image.${name} must be a whole number from 1 to ${MAX_SIDE_PX}, not ${describe(value)}`,
  );
}
