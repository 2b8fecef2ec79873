// @ts-check
// Plain JavaScript with checked types, like worker.mjs, which imports it on the worker threads.
import { isMainThread } from 'node:worker_threads';
import sharp from 'sharp';
import { hasTooManyScans, MAX_SCANS } from './jpeg-scans.mjs';
import { reduceFile } from './reduce-file.mjs';

/** @import { ImageLimits, Pixels } from './format.ts' */

// The list of loaders belongs to the process: no file can reach any loader but these four. Only the main thread sets
// it, as setting it again would disable them for a moment while other threads decode.
if (isMainThread) {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  });
}
// No uploaded image may stay in a cache. Loading sharp on any thread turns the cache on again.
sharp.cache(false);
// One thread per image, as several images are decoded in parallel.
sharp.concurrency(1);

/** 'warning' would reject some JPEGs that are in use; 'truncated' would accept damaged files. */
export const FAIL_ON = 'error';

/** An image could not be decoded; `code` is the error code to report. */
export class DecodeError extends Error {
  /**
   * @param {'invalid_image' | 'image_too_complex' | 'processing_timeout'} code
   * @param {unknown} cause
   */
  constructor(code, cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = code;
  }
}

/**
 * Decodes PNG, JPEG, WebP or GIF to RGBA: the first frame, with its EXIF orientation applied, embedded profiles and
 * CMYK converted to sRGB, and 16 bits per channel reduced to 8.
 *
 * @param {Uint8Array} file
 * @param {Pick<ImageLimits, 'maxPixels'> & { processingTimeoutMs: number }} limits
 * @returns {Promise<Pixels>}
 */
export async function decodeRaster(file, { maxPixels, processingTimeoutMs }) {
  if (isJpeg(file) && hasTooManyScans(file))
    throw new DecodeError('image_too_complex', `more than ${MAX_SCANS} scans`);
  try {
    const { data, info } = await sharp(reduceFile(file), { limitInputPixels: maxPixels, failOn: FAIL_ON })
      .autoOrient()
      .toColourspace('srgb')
      .ensureAlpha()
      .timeout({ seconds: Math.max(1, Math.ceil(processingTimeoutMs / 1000)) })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch (error) {
    const isTimeout = error instanceof Error && error.message.startsWith('timeout');
    throw new DecodeError(isTimeout ? 'processing_timeout' : 'invalid_image', error);
  }
}

/** @param {Uint8Array} file PNG, JPEG, WebP or GIF */
function isJpeg(file) {
  return file[0] === 0xff;
}
