import { Helper } from '../core/process.ts';
import type { ContenderInfo, PictureInfo } from '../core/results.ts';

/** An engine in the benchmark. */
export interface Contender extends ContenderInfo {
  modes: readonly PictureInfo['mode'][];
  /** The name of a file in adapters/. */
  adapter: string;
  /** The folder or file of the engine, for the adapter. */
  place: string;
  /** Additional environment variables. */
  env?: Record<string, string>;
}

/** Starts a process for an engine, which offers the functions of contender.mjs. */
export function start({ adapter, place, env }: Contender, limitMs: number): Helper {
  return new Helper(new URL('contender.mjs', import.meta.url), [adapter, place], limitMs, env);
}
