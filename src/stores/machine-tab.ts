import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { isDead, ownerIn, thisProcess } from './owner.ts';

/** How often, and how long between, milliseconds, where several take it at once from one that has ended. */
const TRIES = 200;
const PAUSE = 5;
/** Nobody takes so long to clear it, milliseconds. */
const STUCK = 5_000;

/** Who has the tab of this person on this machine: a file for this user only. */
export class MachineTab {
  readonly #file: string;

  constructor(inbox: string) {
    this.#file = join(inbox, 'tab');
  }

  /** Takes it for this process; where another one that runs has it, gives how that is reached by others of its user, and by nobody else. */
  take<Address>(own: Address): Address | undefined {
    const known = this.#read<Address>();
    if (known) return known.isOwn ? undefined : known.address;
    makeFolder(join(this.#file, '..'));
    // Whole when it has its name: nobody reads half of it.
    const made = `${this.#file}.${randomUUID()}`;
    writeFileSync(made, `${JSON.stringify(thisProcess())}\n${JSON.stringify(own)}`, {
      mode: 0o600,
      flag: 'wx',
    });
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        if (isLinked(made, this.#file)) return undefined;
        // Another one was faster; or what is there is of one that has ended.
        const faster = this.#read<Address>();
        if (faster) return faster.isOwn ? undefined : faster.address;
        this.#clear();
      }
      return undefined;
    } finally {
      rmSync(made, { force: true });
    }
  }

  leave(): void {
    if (this.#read()?.isOwn) rmSync(this.#file, { force: true });
  }

  /** Takes away what a process has left that has ended: one at a time, so that nobody takes away what another one has put there. */
  #clear(): void {
    const clearing = `${this.#file}.clearing`;
    if (!isLinked(this.#file, clearing)) {
      const since = statSync(clearing, { throwIfNoEntry: false })?.ctimeMs ?? Date.now();
      // Whoever began to was killed meanwhile.
      if (Date.now() - since > STUCK) rmSync(clearing, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
      return;
    }
    try {
      if (!this.#read(clearing)) rmSync(this.#file, { force: true });
    } finally {
      rmSync(clearing, { force: true });
    }
  }

  #read<Address>(file = this.#file): { readonly isOwn: boolean; readonly address: Address } | undefined {
    try {
      const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n');
      const owner = ownerIn(first);
      if (!owner || isDead(owner)) return undefined;
      // It is in a folder of this user alone: what is there, we wrote.
      return { isOwn: first === JSON.stringify(thisProcess()), address: JSON.parse(second) as Address };
    } catch {
      return undefined;
    }
  }
}

/** Gives a file a name that none has yet: of several that do at once, one. Not one that is gone. */
function isLinked(made: string, name: string): boolean {
  try {
    linkSync(made, name);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}
