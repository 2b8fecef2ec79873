import sharp from 'sharp';
import { Problem } from '../errors/problem.ts';
import { FAIL_ON } from './decode.mjs';
import { type Format, type ImageLimits, type Size, sizeInHeader, sniff } from './format.ts';

/** The format of a file by its content, or a problem. */
export function identify(file: Buffer): Format {
  if (file.length === 0) throw invalid('The file is empty.');
  const format = sniff(file);
  if (format !== undefined) return format;
  throw new Problem('unsupported_image_format', 'The file is none of PNG, JPEG, WebP, GIF and BMP.');
}

/** Width and height from the header, checked against the limits; no pixel is decoded. */
export async function measure(
  file: Buffer,
  format: Format,
  limits: ImageLimits & { processingTimeoutMs: number },
): Promise<Size> {
  const early = sizeInHeader(file, format);
  if (early !== undefined) checkSize(early, limits);
  // Their sizes are where the decoders read them, too: another look at the header would find the same.
  if (format === 'bmp' || format === 'png') {
    if (early === undefined) throw invalid('The file ends within its header.');
    return early;
  }
  const size = await within(limits.processingTimeoutMs, readHeader(file, format));
  checkSize(size, limits);
  return size;
}

async function readHeader(file: Buffer, format: Format): Promise<Size> {
  const metadata = await sharp(file, { limitInputPixels: false, failOn: FAIL_ON })
    .metadata()
    .catch((error: unknown) => {
      throw invalid(`The file is not a readable ${format.toUpperCase()}.`, error);
    });
  return { width: metadata.width, height: metadata.height };
}

function checkSize({ width, height }: Size, { maxPixels, maxSidePx }: ImageLimits): void {
  if (width < 1 || height < 1) throw invalid(`The image is ${width} × ${height} pixels.`);
  if (width <= maxSidePx && height <= maxSidePx && width * height <= maxPixels) return;
  const detail = `The image is ${width} × ${height} pixels; at most ${maxPixels} pixels and ${maxSidePx} a side.`;
  throw new Problem('image_too_large', detail, { members: { maxPixels, maxSide: maxSidePx } });
}

/** For what sharp cannot be told to give up: its result no longer matters after this time. */
export async function within<T>(timeoutMs: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tookTooLong()), timeoutMs);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** The image needed more than the time there is for one. */
export function tookTooLong(cause?: unknown): Problem {
  return new Problem('processing_timeout', 'The image took too long to decode and trace.', { cause });
}

/** A file whose content cannot be decoded. */
export function invalid(detail: string, cause?: unknown): Problem {
  return new Problem('invalid_image', detail, { cause });
}
