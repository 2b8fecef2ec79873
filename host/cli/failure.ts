import { getSystemErrorMap } from 'node:util';
import { SETTINGS } from '../config/settings.ts';
import type { ProblemCode } from '../errors/catalog.ts';
import { Problem } from '../errors/problem.ts';

/** Failures of a picture that the service does not have, for it has no files. */
export type FileFailure = 'cannot_read' | 'cannot_write' | 'output_exists';

/** Why there is no drawing of a picture. */
export interface Failure {
  /** Stable; the service's own where it has the same. */
  code: FileFailure | ProblemCode;
  message: string;
}

/** A file that could not be read or written. */
export class FileError extends Error {
  readonly code: FileFailure;

  constructor(code: FileFailure, message: string) {
    super(message);
    this.code = code;
  }
}

/** What is said of limits that their owner can change. */
const VARIABLES: Partial<Record<ProblemCode, string[]>> = {
  image_too_large: [SETTINGS.maxPixels.variable, SETTINGS.maxSidePx.variable],
  payload_too_large: [SETTINGS.maxFileBytes.variable],
  processing_timeout: [SETTINGS.processingTimeoutMs.variable],
};

/** What the system says of a file, in its own words but without its numbers and calls. */
export function fileError(code: FileFailure, error: unknown): FileError {
  const { errno, message } = error as NodeJS.ErrnoException;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return new FileError(code, words === undefined ? message : `The system says: ${words}.`);
}

export function asFailure(error: unknown): Failure {
  if (error instanceof FileError) return { code: error.code, message: error.message };
  if (!(error instanceof Problem))
    return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
  return { code: error.code, message: error.message + hintFor(error) };
}

function hintFor({ code, cause }: Problem): string {
  const variables = VARIABLES[code];
  if (variables !== undefined) return ` The limit is set by ${variables.join(' and ')}.`;
  // The service keeps this from its callers; here they are the ones who can do something about it.
  if (code !== 'engine_failure') return '';
  return ` The cause: ${cause instanceof Error ? cause.message : String(cause)}`;
}
