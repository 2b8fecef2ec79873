import { getSystemErrorMap } from 'node:util';
import { SETTINGS } from '../config/settings.ts';
import type { ProblemCode } from '../errors/catalog.ts';
import { Problem } from '../errors/problem.ts';

/** Error codes for files, which the HTTP service does not have. */
export type FileErrorCode = 'cannot_read' | 'cannot_write' | 'output_exists';

/** Why an image was not traced. */
export interface Failure {
  /** Stable: a `FileErrorCode`, a `RemoteErrorCode`, or the code that the HTTP service has for the same error. */
  code: string;
  message: string;
  /** The host that refused the image, the status of its response, and its id of the request. */
  host?: string;
  status?: number;
  requestId?: string;
}

/** Error codes of --remote: the host could not be reached; its response is not one of the service. */
export type RemoteErrorCode = 'remote_unreachable' | 'remote_error';

/** An image was not traced by another host. */
export class RemoteFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A file could not be read or written. */
export class FileError extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The environment variables of limits, for error messages. */
const LIMIT_VARIABLES: Partial<Record<ProblemCode, string[]>> = {
  image_too_large: [SETTINGS.maxPixels.variable, SETTINGS.maxSidePx.variable],
  payload_too_large: [SETTINGS.maxFileBytes.variable],
  image_too_complex: [SETTINGS.memoryBytes.variable],
  processing_timeout: [SETTINGS.processingTimeoutMs.variable],
};

/** Converts a system error to a `FileError` with the system's description, without error number and system call. */
export function fileError(code: FileErrorCode, error: unknown): FileError {
  const { errno, message } = error as NodeJS.ErrnoException;
  const description = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return new FileError(code, description === undefined ? message : `System error: ${description}.`);
}

/** Converts anything thrown to a failure. */
export function asFailure(error: unknown): Failure {
  if (error instanceof RemoteFailure) return error.failure;
  if (error instanceof FileError) return { code: error.code, message: error.message };
  if (!(error instanceof Problem))
    return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
  if (error.code === 'overloaded') return outOfMemory(error);
  return { code: error.code, message: error.message + hintFor(error) };
}

/** The service would ask its client to come back. Here, nothing else waits, and memory is all that can be short. */
function outOfMemory({ cause }: Problem): Failure {
  const message = `There is not enough memory to trace the image beside others. Trace fewer at once, with -j. Cause: ${textOf(cause)}`;
  return { code: 'engine_failure', message };
}

const textOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

function hintFor({ code, cause, isFixedLimit }: Problem): string {
  const variables = isFixedLimit ? undefined : LIMIT_VARIABLES[code];
  if (variables !== undefined) return ` To change the limit, set ${variables.join(' or ')}.`;
  // The service does not show the cause to its clients, but the user of the command line can act on it.
  if (code !== 'engine_failure') return '';
  return ` Cause: ${textOf(cause)}`;
}
