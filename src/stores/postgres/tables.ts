import type { KeyRing } from '../../node/key-ring.ts';
import type { StoreBounds } from '../bounds.ts';
import { Sealer } from '../sealed.ts';
import type { Database } from './database.ts';
import type { Statements } from './statements.ts';

/** What all that works on the tables needs. */
export interface Tables {
  readonly database: Database;
  readonly statements: Statements;
  readonly bounds: Required<StoreBounds>;
  /** Milliseconds since the epoch; `null` for the clock of the database. */
  now(): number | null;
  /** Where the numbers of processes are locks. */
  space(): Promise<number>;
  sealer(): Promise<Sealer>;
  /** Told of calls that were passed over, because they cannot be read. */
  onProblem(error: unknown): void;
}

/** Binds the tables to a database. */
export function tablesOf(parts: Omit<Tables, 'space' | 'sealer'>, ring: KeyRing): Tables {
  const { database } = parts;
  let sealer: Sealer | undefined;
  return {
    ...parts,
    space: async () => (await database.owner()).space,
    async sealer() {
      sealer ??= new Sealer(ring, await database.storeId(), database.where);
      return sealer;
    },
  };
}
