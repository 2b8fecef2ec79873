// @ts-check
// Plain JavaScript with checked types, like worker.mjs, on whose threads it runs.

/** @typedef {{ name: string, start: number, bodyAt: number, end: number }} Chunk Where a chunk lies in its file: from its header to its end. */

const PNG_SIGNATURE_LENGTH = 8;
/** Text that is compressed: 8 kB can become 8 MB, of which libvips makes four copies, and there can be 1,000 of them. */
const COMPRESSED_TEXT = ['zTXt', 'iTXt'];

const RIFF_HEADER_LENGTH = 12;
/** The name and the length of a chunk. */
const RIFF_CHUNK_HEADER_LENGTH = 8;
/** Offset, size, duration and flags of a frame; the chunks of its image follow. */
const FRAME_HEADER_LENGTH = 16;
const ANIMATION_FLAG = 0x02;

/**
 * A file without what costs libvips far more than its length, and changes no pixel: the compressed text of a PNG, and the frames of a WebP
 * animation after the first, for which it takes time that grows with the square of their number. Other files as they are.
 *
 * @param {Uint8Array} file PNG, JPEG, WebP or GIF
 * @throws {Error} if the parts of an animation are not those of a WebP file
 */
export function reduceFile(file) {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes.toString('latin1', 1, 4) === 'PNG') return withoutCompressedText(bytes);
  return isWebpAnimation(bytes) ? withFirstFrame(bytes) : file;
}

/**
 * Whether a file is an animated WebP: its first chunk says so.
 *
 * @param {Buffer} bytes
 */
export function isWebpAnimation(bytes) {
  const [riff, webp, first] = [0, 8, 12].map((at) => bytes.toString('latin1', at, at + 4));
  return riff === 'RIFF' && webp === 'WEBP' && first === 'VP8X' && ((bytes[20] ?? 0) & ANIMATION_FLAG) !== 0;
}

/** @param {Buffer} bytes */
function withoutCompressedText(bytes) {
  const kept = [bytes.subarray(0, PNG_SIGNATURE_LENGTH)];
  let start = PNG_SIGNATURE_LENGTH;
  // What is no chunk is left to the decoder.
  for (let at = start; at + 8 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const isText = end <= bytes.length && COMPRESSED_TEXT.includes(bytes.toString('latin1', at + 4, at + 8));
    if (isText) kept.push(bytes.subarray(start, at));
    at = end;
    if (isText) start = end;
  }
  return kept.length === 1 ? bytes : Buffer.concat([...kept, bytes.subarray(start)]);
}

/** @param {Buffer} bytes */
function withFirstFrame(bytes) {
  const kept = [];
  let hasFrame = false;
  for (const chunk of riffChunks(bytes, RIFF_HEADER_LENGTH, bytes.readUInt32LE(4) + 8)) {
    if (chunk.name !== 'ANMF') kept.push(bytes.subarray(chunk.start, chunk.end));
    else if (!hasFrame) kept.push(frameOf(bytes, chunk));
    hasFrame ||= chunk.name === 'ANMF';
  }
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...kept]));
}

/**
 * A frame with its image only: libvips takes whatever else is in it for further frames.
 *
 * @param {Buffer} bytes
 * @param {Chunk} chunk
 */
function frameOf(bytes, { bodyAt, end }) {
  const imageAt = bodyAt + FRAME_HEADER_LENGTH;
  const kept = [bytes.subarray(bodyAt, imageAt)];
  for (const chunk of riffChunks(bytes, imageAt, end)) {
    kept.push(bytes.subarray(chunk.start, chunk.end));
    if (chunk.name !== 'ALPH') break;
  }
  return riff('ANMF', Buffer.concat(kept));
}

/**
 * The chunks between two places of a RIFF file, which must end where the last of them does.
 *
 * @param {Buffer} bytes
 * @param {number} from
 * @param {number} end
 * @returns {Iterable<Chunk>}
 */
function* riffChunks(bytes, from, end) {
  let start = from;
  while (start < end) {
    const bodyAt = start + RIFF_CHUNK_HEADER_LENGTH;
    const length =
      bodyAt <= Math.min(end, bytes.length) ? bytes.readUInt32LE(start + 4) : Number.POSITIVE_INFINITY;
    // Padded to an even length.
    const chunkEnd = bodyAt + length + (length % 2);
    if (chunkEnd > Math.min(end, bytes.length))
      throw new Error('a chunk of the WebP file is longer than what is left');
    yield { name: bytes.toString('latin1', start, start + 4), start, bodyAt, end: chunkEnd };
    start = chunkEnd;
  }
}

/**
 * @param {string} name
 * @param {Buffer} body
 */
function riff(name, body) {
  const header = Buffer.alloc(RIFF_CHUNK_HEADER_LENGTH);
  header.write(name, 'latin1');
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}
