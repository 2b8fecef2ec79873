import type { EngineName } from '../job.ts';
import type { EngineChoice } from './flags.ts';
import { UsageError } from './usage.ts';

/** The engine to trace with: the native one is another package, which may have no binary for this machine. */
export async function findEngine(choice: EngineChoice): Promise<EngineName> {
  if (choice === 'wasm') return 'wasm';
  try {
    const { init } = await import('tracesmith-native');
    await init();
    return 'native';
  } catch (error) {
    if (choice === 'auto') return 'wasm';
    throw new UsageError(`--engine native: ${error instanceof Error ? error.message : String(error)}`);
  }
}
