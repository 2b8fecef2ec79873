import { describe } from './describe.js';
import { TracesmithError } from './errors.js';
// The engine's limit. It is checked here first, because a length that follows from a wrong side explains nothing.
const MAX_SIDE_PX = 65_535;
// The prototype's getters, because an object can define a `length` or `byteLength` of its own. The tag identifies arrays
// of another realm (an iframe, a vm context) as well, where `instanceof` fails.
const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const getterOf = (name) => Object.getOwnPropertyDescriptor(typedArrayPrototype, name)?.get;
const tagOf = getterOf(Symbol.toStringTag);
const bufferOf = getterOf('buffer');
const byteOffsetOf = getterOf('byteOffset');
const byteLengthOf = getterOf('byteLength');
/** A view of the bytes of a Uint8Array or Uint8ClampedArray, without a copy; undefined for any other value. */
export function bytesOf(value) {
    const tag = ArrayBuffer.isView(value) ? tagOf.call(value) : undefined;
    if (tag !== 'Uint8Array' && tag !== 'Uint8ClampedArray')
        return undefined;
    return new Uint8Array(detachedToEmpty(bufferOf.call(value)), byteOffsetOf.call(value), byteLengthOf.call(value));
}
/** A view of a detached buffer cannot be created, not even of zero bytes; an empty buffer replaces it. */
function detachedToEmpty(buffer) {
    if (buffer.byteLength > 0)
        return buffer;
    return new ArrayBuffer(0);
}
/** Reads each property once and checks everything that the engine relies on. */
export function checkImage(image) {
    if (typeof image !== 'object' || image === null) {
        throw new TracesmithError('invalid_image', `image must be an object { width, height, data }, not ${describe(image)}`);
    }
    const { width, height, data } = image;
    checkSide('width', width);
    checkSide('height', height);
    const rgba = bytesOf(data);
    if (rgba === undefined) {
        throw new TracesmithError('invalid_image', `image.data must be a Uint8Array or a Uint8ClampedArray, not ${describe(data)}`);
    }
    const expected = width * height * 4;
    if (rgba.length !== expected) {
        throw new TracesmithError('invalid_length', `image.data must have ${width} × ${height} × 4 = ${expected} bytes, not ${rgba.length}`);
    }
    return { width, height, rgba };
}
function checkSide(name, value) {
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE_PX;
    if (isValid)
        return;
    throw new TracesmithError('invalid_dimensions', `image.${name} must be a whole number from 1 to ${MAX_SIDE_PX}, not ${describe(value)}`);
}
