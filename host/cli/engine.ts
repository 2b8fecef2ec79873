import type { EngineName } from '../tracing/job.ts';
import type { EngineChoice } from './flags.ts';
import { UsageError } from './parse-args.ts';

/** The engine to use. The native engine is an optional package, which may have no binary for this machine. */
export async function findEngine(choice: EngineChoice): Promise<EngineName> {
  if (choice === 'wasm') return 'wasm';
  const found = await import('tracesmith-native').catch((problem: unknown) => ({
    engine: 'wasm',
    nativeProblem: problem,
  }));
  if (found.engine === 'native') return 'native';
  if (choice === 'auto') return 'wasm';
  const problem = found.nativeProblem;
  throw new UsageError(
    `The native engine is not available: ${problem instanceof Error ? problem.message : String(problem)}`,
  );
}
