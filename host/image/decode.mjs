// @ts-check
// Plain JavaScript with checked types, as worker.mjs is: it decodes on the threads that trace.
import { isMainThread } from 'node:worker_threads';
import sharp from 'sharp';

/** @import { ImageLimits, Pixels } from './format.ts' */

// All of this holds for the whole process. No other loader than these four can be reached by whatever content. A thread
// that said it again would take the loaders away, for a moment, from those that are decoding.
if (isMainThread) {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  });
}
// No cache keeps what callers sent. Loading sharp turns it on again, in whatever thread.
sharp.cache(false);
// One thread per picture: pictures are what runs in parallel.
sharp.concurrency(1);

/** 'warning' would refuse some real JPEGs; 'truncated' would accept damaged ones. */
export const FAIL_ON = 'error';

/** Why a file was not decoded, by the code of the problem that it is. */
export class NotDecoded extends Error {
  /**
   * @param {'invalid_image' | 'processing_timeout'} code
   * @param {unknown} cause
   */
  constructor(code, cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = code;
  }
}

/**
 * Decodes PNG, JPEG, WebP or GIF: the first frame, turned upright by its EXIF orientation, profiles and CMYK
 * converted to sRGB, 16 bits reduced to 8.
 *
 * @param {Uint8Array} file
 * @param {Pick<ImageLimits, 'maxPixels'> & { processingTimeoutMs: number }} limits
 * @returns {Promise<Pixels>}
 */
export async function decodeRaster(file, { maxPixels, processingTimeoutMs }) {
  try {
    const { data, info } = await sharp(file, { limitInputPixels: maxPixels, failOn: FAIL_ON })
      .autoOrient()
      .toColourspace('srgb')
      .ensureAlpha()
      .timeout({ seconds: Math.max(1, Math.ceil(processingTimeoutMs / 1000)) })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch (error) {
    const isLate = error instanceof Error && error.message.startsWith('timeout');
    throw new NotDecoded(isLate ? 'processing_timeout' : 'invalid_image', error);
  }
}
