import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import { Notices } from '../notices.ts';
import type { SqliteDatabase } from './database.ts';

/** Milliseconds between two looks at whether another process has written. A look costs microseconds. */
const PAUSE = 100;

/** Who watches which calls. What other processes tell is a number in the row of a call, looked at whenever one of them has written. */
export class WatchedCalls {
  readonly #db: SqliteDatabase;
  readonly #notices = new Notices();
  readonly #calls = new Map<string, { readonly name: CallName; told: number | undefined }>();
  #version: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  watch(name: CallName, look: () => void): () => void {
    const key = callKey(name);
    const stop = this.#notices.watch(key, look);
    if (!this.#calls.has(key))
      this.#calls.set(key, { name, told: this.#db.glance(() => toldOf(this.#db, name)) });
    this.#timer ??= setInterval(() => this.#look(), PAUSE).unref();
    return () => {
      stop();
      const watched = new Set(this.#notices.ids());
      if (!watched.has(key)) this.#calls.delete(key);
      if (watched.size === 0) this.close();
    };
  }

  tell(name: CallName): void {
    this.#notices.tell(callKey(name));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const changed = this.#db.glance(() => {
      const { version } =
        this.#db.get<{ readonly version: number }>(
          'select data_version as version from pragma_data_version',
        ) ?? {};
      if (version === this.#version) return [];
      this.#version = version;
      return [...this.#calls].filter(([, call]) => {
        const before = call.told;
        call.told = toldOf(this.#db, call.name);
        return call.told !== before;
      });
    });
    for (const [key] of changed ?? []) this.#notices.tell(key);
  }
}

function toldOf(db: SqliteDatabase, name: CallName): number {
  const id = db.sealer.idOf(name);
  return db.get<{ readonly told: number }>('select told from calls where id = ?', id)?.told ?? 0;
}
