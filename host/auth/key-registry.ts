import type { KeyRow } from './key-file-format.ts';

/** The new rows of a registry, and a result for the caller. */
export interface Change<T> {
  rows: KeyRow[];
  result: T;
}

/** Where keys are kept: a file, or a store that several processes share. */
export interface KeyRegistry {
  read(): Promise<KeyRow[]>;
  /** Changes the rows at once, so that no other change is lost. `change` can be called more than once. */
  change<T>(change: (rows: KeyRow[]) => Change<T>): Promise<T>;
}
