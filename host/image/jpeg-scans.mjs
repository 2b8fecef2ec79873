// @ts-check
// Plain JavaScript with checked types, like worker.mjs, on whose threads it runs.

/**
 * The most scans of a JPEG file. libjpeg goes over the whole image for each, which cannot be stopped, and one takes a few bytes: 14 kB held a
 * minute of work. Encoders write about 10 scans; programs that search for the shortest file, up to about 20.
 */
export const MAX_SCANS = 100;

const MARKER = 0xff;
const [START_OF_SCAN, END_OF_IMAGE] = [0xda, 0xd9];
/** Markers without a length: 0 is a 255 of the data and no marker, 1 is reserved, the others are restarts and the start of the image. */
const isAlone = (/** @type {number} */ code) => code <= 0x01 || (code >= 0xd0 && code <= 0xd8);
/** Tables, frames, applications and comments. What is none of them has no length that a decoder would follow. */
const hasLength = (/** @type {number} */ code) => code >= 0xc0 && !isAlone(code);

/**
 * Whether a JPEG file has more scans than `MAX_SCANS`. Goes from marker to marker, as libjpeg does: metadata and what follows the image may
 * hold further images.
 *
 * @param {Uint8Array} file
 */
export function hasTooManyScans(file) {
  if (!hasManyMarkers(file)) return false;
  let scans = 0;
  for (let at = 0; at + 1 < file.length; ) {
    const code = file[at + 1] ?? 0;
    if (file[at] !== MARKER || code === MARKER) at += 1;
    else if (code === END_OF_IMAGE) return false;
    else {
      if (code === START_OF_SCAN && ++scans > MAX_SCANS) return true;
      at += 2 + (hasLength(code) ? lengthAt(file, at + 2) : 0);
    }
  }
  return false;
}

/**
 * Whether there are as many markers of scans, wherever they are. Takes a thirtieth of the time, and is true of hardly any file.
 *
 * @param {Uint8Array} file
 */
function hasManyMarkers(file) {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const marker = Buffer.from([MARKER, START_OF_SCAN]);
  let at = -1;
  for (let found = 0; found <= MAX_SCANS; found++) {
    at = bytes.indexOf(marker, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/**
 * @param {Uint8Array} file
 * @param {number} at
 */
function lengthAt(file, at) {
  return ((file[at] ?? 0) << 8) | (file[at + 1] ?? 0);
}
