import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { isDead, ownerIn, thisProcess } from './owner.ts';

/** How the tab of a process is reached by the others of its user, and by nobody else. */
export interface TabAddress {
  readonly port: number;
  readonly secret: string;
}

/** Who has the tab of this person on this machine: a file for this user only. */
export class MachineTab {
  readonly #file: string;

  constructor(inbox: string) {
    this.#file = join(inbox, 'tab');
  }

  /** Takes it for this process; where another one that runs has it, gives how that is reached. */
  take(own: TabAddress): TabAddress | undefined {
    const known = this.#read();
    if (known) return known.isOwn ? undefined : known.address;
    makeFolder(join(this.#file, '..'));
    // Whole when it has its name: nobody reads half of it.
    const made = `${this.#file}.${randomUUID()}`;
    writeFileSync(made, `${JSON.stringify(thisProcess())}\n${JSON.stringify(own)}`, {
      mode: 0o600,
      flag: 'wx',
    });
    try {
      rmSync(this.#file, { force: true });
      linkSync(made, this.#file);
    } catch {
      // Another one was faster.
      return this.#read()?.address;
    } finally {
      rmSync(made, { force: true });
    }
    return undefined;
  }

  leave(): void {
    if (this.#read()?.isOwn) rmSync(this.#file, { force: true });
  }

  #read(): { readonly isOwn: boolean; readonly address: TabAddress } | undefined {
    try {
      const [first = '', second = ''] = readFileSync(this.#file, 'utf8').split('\n');
      const owner = ownerIn(first);
      if (!owner || isDead(owner)) return undefined;
      // It is in a folder of this user alone: what is there, we wrote.
      return { isOwn: first === JSON.stringify(thisProcess()), address: JSON.parse(second) as TabAddress };
    } catch {
      return undefined;
    }
  }
}
