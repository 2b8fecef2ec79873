// Problems whose detail text contains values. Texts without values are in catalog.ts.
import { maxHeaderSize } from 'node:http';
import { type ConfigError, Problem } from './problem.ts';

const MAX_CONFIG_ERRORS = 20;
/** Longest name of a part that is repeated. */
const MAX_QUOTED_LENGTH = 40;
const EXAMPLE_CONFIG = '{"mode": "polygon"}';
const UNITS: [unit: string, bytes: number][] = [
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
];

/** A limit in the largest unit that divides it, as an adjective: `20 MiB`, `1,500-byte`. */
function byteSize(bytes: number): string {
  const found = UNITS.find(([, size]) => bytes % size === 0);
  return found === undefined ? `${count(bytes)}-byte` : `${bytes / found[1]} ${found[0]}`;
}

const count = (value: number) => value.toLocaleString('en');
const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });

export function headersTooLarge(): Problem {
  const detail = `The request headers exceed the ${byteSize(maxHeaderSize)} limit.`;
  return new Problem('headers_too_large', detail);
}

export function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  const list = allowed.join(', ');
  const detail = `The method ${method} is not supported. This path supports ${list}.`;
  return new Problem('method_not_allowed', detail, { headers: { Allow: list } });
}

/** `rateHeaders` tell the client about its rate limit. */
export function concurrencyLimited(limit: number, rateHeaders: Record<string, string>): Problem {
  const requests = limit === 1 ? 'request at a time' : 'concurrent requests';
  const detail = `The account has reached its limit of ${limit} ${requests}. Wait until one finishes.`;
  return new Problem('concurrency_limited', detail, { headers: { ...retryAfter(1), ...rateHeaders } });
}

/** `rateHeaders` tell the client about its rate limit. */
export function rateLimited(
  limit: number,
  windowS: number,
  waitS: number,
  rateHeaders: Record<string, string>,
): Problem {
  const detail = `The account has reached its limit of ${limit} requests in ${windowS} s. Retry in ${waitS} s.`;
  return new Problem('rate_limited', detail, { headers: { ...retryAfter(waitS), ...rateHeaders } });
}

export function bodyTimeout(timeoutMs: number): Problem {
  return new Problem('request_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`);
}

export function duplicatePart(name: string): Problem {
  return new Problem('unexpected_part', `The part "${name}" appears more than once.`);
}

/** `name` is what the client sent, if anything: quoted as JSON, it has no control characters. */
export function unknownPart(name: string | undefined): Problem {
  const shown =
    name !== undefined && name.length > MAX_QUOTED_LENGTH ? `${name.slice(0, MAX_QUOTED_LENGTH)}…` : name;
  const part = shown === undefined ? 'without a name' : `with the unknown name ${JSON.stringify(shown)}`;
  const detail = `The body has a part ${part}. Send the image as "file" and all options in "config", a JSON object.`;
  return new Problem('unexpected_part', detail);
}

export function fileTooLarge(maxBytes: number): Problem {
  const detail = `The file exceeds the ${byteSize(maxBytes)} limit.`;
  return new Problem('payload_too_large', detail, { members: { maxBytes } });
}

export function configTooLarge(maxBytes: number): Problem {
  const detail = `The part "config" exceeds the ${byteSize(maxBytes)} limit.`;
  return new Problem('config_too_large', detail, { members: { maxBytes } });
}

/** `reason` says where the text is wrong, if that is known. */
export function configNoJson(reason: string | undefined): Problem {
  const where = reason === undefined ? '' : `: ${reason}`;
  const detail = `The part "config" is not valid JSON${where}. It must be an object such as ${EXAMPLE_CONFIG}.`;
  return new Problem('invalid_config_json', detail);
}

/** `received` is a kind of JSON value. */
export function configNoObject(received: string): Problem {
  const detail = `The part "config" must be a JSON object such as ${EXAMPLE_CONFIG}, not ${received}.`;
  return new Problem('invalid_config_json', detail);
}

/** Reports only the first errors: a config of nothing but wrong keys would get a response many times its size. */
export function invalidConfig(all: readonly ConfigError[]): Problem {
  const errors = all.slice(0, MAX_CONFIG_ERRORS);
  const details = errors.map((error) => `${error.pointer}: ${error.detail}`);
  const more = all.length - errors.length;
  if (more > 0) details.push(`and ${count(more)} more`);
  return new Problem('invalid_config', details.join('; '), { members: { errors } });
}

/** `format` is the format that the file's signature indicates. */
export function unreadableImage(format: string, cause: unknown): Problem {
  const name = format === 'webp' ? 'WebP' : format.toUpperCase();
  const detail = `The file begins like a ${name} image but is corrupt, truncated or of an unsupported kind.`;
  return new Problem('invalid_image', detail, { cause });
}

export function emptyImage(width: number, height: number): Problem {
  const detail = `The image is ${width} × ${height} pixels; it must be at least 1 × 1.`;
  return new Problem('invalid_image', detail);
}

export function imageTooLarge(
  { width, height }: { width: number; height: number },
  { maxPixels, maxSidePx }: { maxPixels: number; maxSidePx: number },
): Problem {
  const detail = `The image is ${count(width)} × ${count(height)} pixels; at most ${count(maxPixels)} pixels in total and ${count(maxSidePx)} per side are allowed.`;
  return new Problem('image_too_large', detail, { members: { maxPixels, maxSide: maxSidePx } });
}

export function processingTimeout(timeoutMs: number, cause?: unknown): Problem {
  const detail = `Decoding and tracing the image took longer than ${timeoutMs / 1000} s.`;
  return new Problem('processing_timeout', detail, { cause });
}

/** No retry succeeds: the limit of one request was reached, whatever the load. */
export function imageTooComplex(
  limit: 'memory' | 'cpu',
  { bytes, cpuMs }: { bytes: number; cpuMs: number },
): Problem {
  const most =
    limit === 'memory'
      ? `${count(Math.floor(bytes / 1024 ** 2))} MiB of memory`
      : `${cpuMs / 1000} s of CPU time`;
  const detail = `Tracing the image needs more than ${most}, the limit for one image. Send fewer pixels, or raise filterSpeckle or layerDifference.`;
  return new Problem('image_too_complex', detail);
}

/** The decoder goes over the whole image for each scan of a JPEG. `max` is no setting. */
export function tooManyScans(max: number): Problem {
  const detail = `The JPEG image has more than ${max} scans, and encoders write about 10. Save it again, in any of the five formats.`;
  return new Problem('image_too_complex', detail, { isFixedLimit: true });
}

const MAX_RETRY_S = 30;
/** Retries are spread over this share of the delay, so that clients rejected at once do not return at once. */
const RETRY_SPREAD = 0.5;

/** The request may succeed later: after about `waitMs`, in whole seconds. */
export function overloaded(waitMs: number, cause?: unknown): Problem {
  const detail = 'The service is overloaded. Retry after the delay in Retry-After.';
  const waitS = (waitMs / 1000) * (1 + Math.random() * RETRY_SPREAD) + Math.random();
  const headers = retryAfter(Math.min(MAX_RETRY_S, Math.max(1, Math.ceil(waitS))));
  return new Problem('overloaded', detail, { headers, cause });
}
