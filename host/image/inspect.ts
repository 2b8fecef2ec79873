import sharp from 'sharp';
import { emptyImage, imageTooLarge, processingTimeout, unreadableImage } from '../errors/details.ts';
import { problem } from '../errors/problem.ts';
import { within } from '../errors/within.ts';
import { FAIL_ON } from './decode.mjs';
import { detectFormat, type Format, type ImageLimits, type Size, sizeInHeader } from './format.ts';

/** The format of a file. Throws `invalid_image` or `unsupported_image_format`. */
export function identify(file: Buffer): Format {
  if (file.length === 0) throw problem('empty_file');
  const format = detectFormat(file);
  if (format !== undefined) return format;
  throw problem('unsupported_image_format');
}

/** Width and height from the header, checked against the limits. Decodes no pixels. */
export async function measure(
  file: Buffer,
  format: Format,
  limits: ImageLimits & { processingTimeoutMs: number },
): Promise<Size> {
  const size = sizeInHeader(file, format);
  if (size !== undefined) checkSize(size, limits);
  // Their decoders read the size from the same bytes: sharp would find nothing else, and read all frames of an animated WebP.
  if (size !== undefined && format !== 'gif') return size;
  if (format === 'bmp' || format === 'png') throw problem('truncated_header');
  const { processingTimeoutMs } = limits;
  const decodedSize = await within(processingTimeoutMs, readHeader(file, format), () =>
    processingTimeout(processingTimeoutMs),
  );
  checkSize(decodedSize, limits);
  return decodedSize;
}

async function readHeader(file: Buffer, format: Format): Promise<Size> {
  const metadata = await sharp(file, { limitInputPixels: false, failOn: FAIL_ON })
    .metadata()
    .catch((error: unknown) => {
      throw unreadableImage(format, error);
    });
  return { width: metadata.width, height: metadata.height };
}

function checkSize(size: Size, limits: ImageLimits): void {
  const { width, height } = size;
  if (width < 1 || height < 1) throw emptyImage(width, height);
  const { maxPixels, maxSidePx } = limits;
  if (width > maxSidePx || height > maxSidePx || width * height > maxPixels)
    throw imageTooLarge(size, limits);
}
