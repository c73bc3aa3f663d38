import type { Operation } from 'effection';
import { StoreUnavailableError } from '../../core/errors/store-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { checkOptions, type OptionNames } from '../../core/schema/check-options.ts';
import { createKeyRing } from '../../runtime/data/key-ring.ts';
import type {
  Append,
  CallName,
  CallStore,
  CallSummary,
  Claim,
  ClaimOutcome,
  DueCall,
  EventAppend,
  InboxMessage,
  LeaveOutcome,
  ListOptions,
  NewCall,
  StoredCall,
} from '../../runtime/journal/call-store.ts';
import { waitFor } from '../../runtime/taskless/wait.ts';
import type { StoreBounds } from '../bounds.ts';
import { storeClocks } from '../lapses.ts';
import { createLimiter } from '../limiter.ts';
import { createDisk } from './disk.ts';
import { CallsHeldInFiles } from './held-calls.ts';
import { dueCalls, listKept, readKept, readKeptEvents, tryToKeep } from './kept-calls.ts';
import { type Opened, open } from './opened.ts';
import { unavailable } from './unavailable.ts';

/** What `createFilesStore` takes. */
export interface FilesStoreOptions {
  /** Where the calls are, on a disk of this machine. It is made when it is not there, for this user only. */
  readonly folder: string;
  /** 32 bytes each: the first seals, all of them open. */
  readonly keys: readonly Uint8Array[];
  readonly bounds?: StoreBounds;
  /** Milliseconds since the epoch; `Date.now` by default. */
  now?(): number;
  /**
   * Whether other code of this process holds its event loop for long now, as all the code of an editor does that starts: then files are read
   * and written without a wait in between, where each would last. Never by default.
   */
  inHurry?(): boolean;
  /** Told of calls that lists pass over, because they cannot be read. */
  onProblem?(error: unknown): void;
}

const OPTIONS = Object.keys({
  folder: true,
  keys: true,
  bounds: true,
  now: true,
  inHurry: true,
  onProblem: true,
} satisfies OptionNames<FilesStoreOptions>);

/** A store on a disk. */
export interface FilesStore extends CallStore {
  /** Whether calls can be kept now: writes where they would be. @throws what `CallStore` throws when they cannot: what is wrong, for people */
  check(): Operation<void>;
}

/**
 * Keeps calls in the files of a folder, sealed: for one machine, and as many processes on it as there are.
 *
 * @throws `TypeError` for keys that are none, and for an option that is not known
 */
export function createFilesStore(options: FilesStoreOptions): FilesStore {
  checkOptions('createFilesStore', options, OPTIONS);
  return new FolderStore(options);
}

interface Running {
  readonly store: Opened;
  readonly held: CallsHeldInFiles;
}

/** Open files at once: a process has 256 of them, where it has fewest. */
const MOST_AT_ONCE = 32;

/** Lists that are read at once: each has many files open. */
const LISTS_AT_ONCE = 2;

class FolderStore implements FilesStore {
  readonly #folder: string;
  readonly #start: () => Running;
  readonly #limit = createLimiter(MOST_AT_ONCE);
  readonly #listLimit = createLimiter(LISTS_AT_ONCE);
  #running: Running | undefined;

  constructor({ folder, keys, bounds, now, inHurry = () => false, onProblem = () => {} }: FilesStoreOptions) {
    const ring = createKeyRing(keys);
    const clocks = storeClocks(now);
    const disk = createDisk(inHurry, clocks.ticks);
    this.#folder = folder;
    this.#start = () => {
      const store = open({ disk, folder, ring, bounds, clocks, onProblem });
      return { store, held: new CallsHeldInFiles(store) };
    };
  }

  begin(call: NewCall): Operation<Claim> {
    return this.#do(({ held }) => held.begin(call));
  }

  append(claim: Claim, what: Append): Operation<void> {
    return this.#do(({ held }) => held.append(claim, what));
  }

  appendEvents(claim: Claim, what: EventAppend): Operation<void> {
    return this.#do(({ held }) => held.appendEvents(claim, what));
  }

  read(name: CallName): Operation<StoredCall | undefined> {
    return this.#do(({ store }) => readKept(store, name));
  }

  readEvents(name: CallName): Operation<readonly JsonValue[]> {
    return this.#do(({ store }) => readKeptEvents(store, name));
  }

  claim(name: CallName): Operation<ClaimOutcome> {
    return this.#do(({ held }) => held.claim(name));
  }

  renew(claim: Claim): Operation<void> {
    return this.#do(({ held }) => held.renew(claim));
  }

  release(claim: Claim): Operation<void> {
    return this.#do(({ held }) => held.release(claim));
  }

  *leave(): Operation<LeaveOutcome> {
    throw new StoreUnavailableError(this.#folder, 'a store of files takes no messages.');
  }

  *take(): Operation<readonly InboxMessage[]> {
    return [];
  }

  due(limit = 100): Operation<readonly DueCall[]> {
    return this.#do(({ store }) => dueCalls(store, limit));
  }

  list(options: ListOptions = {}): Operation<readonly CallSummary[]> {
    return this.#do(({ store }) => listKept(store, options), this.#listLimit);
  }

  forget(name: CallName): Operation<boolean> {
    return this.#do(({ store }) => store.room.remove(store.layout.of(name)));
  }

  check(): Operation<void> {
    return this.#do(({ store }) => tryToKeep(store));
  }

  *#do<T>(work: (running: Running) => Promise<T>, limit = this.#limit): Operation<T> {
    return yield* waitFor(limit(() => this.#attempt(work)));
  }

  async #attempt<T>(work: (running: Running) => Promise<T>): Promise<T> {
    try {
      // A folder that could not be opened may be there the next time.
      this.#running ??= this.#start();
      return await work(this.#running);
    } catch (error) {
      throw unavailable(this.#folder, error);
    }
  }
}
