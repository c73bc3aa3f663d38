import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { isDead, ownerIn, thisProcess } from './owner.ts';

/** A window of an editor that lists what waits for the person of this machine, as the programs beside it find it: a file of its own, for this user only. */
export class OpenWindow {
  /** Where other programs write which calls the person is to be asked in this window, a line each. */
  readonly asked: string;
  readonly #file: string;
  #folders: string | undefined;
  #read = 0;

  constructor(inbox: string) {
    const folder = windowsIn(inbox);
    makeFolder(folder);
    this.#file = join(folder, `${randomUUID()}.window`);
    this.asked = `${this.#file}.asked`;
  }

  /** It has these folders, and none else. */
  has(folders: readonly string[]): void {
    const known = folders.join('\n');
    if (known === this.#folders) return;
    const text = [JSON.stringify(thisProcess()), ...folders.map(realPath)].join('\n');
    writeFileSync(this.#file, text, { mode: 0o600 });
    this.#folders = known;
  }

  /** The person looks at it: of several windows of a folder, this one asks. */
  isLookedAt(): void {
    const now = new Date();
    utimesSync(this.#file, now, now);
  }

  /** The calls that are to be asked here, by their ids, of which it was not told before. */
  calls(): readonly string[] {
    const text = textIn(this.asked) ?? '';
    const news = text.slice(this.#read);
    this.#read = text.length;
    return news.split('\n').filter((line) => line !== '');
  }

  close(): void {
    for (const file of [this.#file, this.asked]) rmSync(file, { force: true });
  }
}

/** A window that can ask what calls ask, which is listed there. */
export interface AskingWindow {
  /** It is open still. */
  isOpen(): boolean;
  /** Has it ask what a call asks. False where it cannot be told. */
  ask(callId: string): boolean;
}

/** The window of this person that has a folder open; the one that was looked at last. */
export function findWindow(inbox: string, folder: string): AskingWindow | undefined {
  const all = windowsIn(inbox);
  const path = realPath(folder);
  const found = names(all)
    .map((name) => join(all, name))
    .filter((file) => isOpen(file))
    .filter((file) => hasFolder(file, path))
    .sort((one, other) => touched(other) - touched(one));
  const [file] = found;
  if (file === undefined) return undefined;
  return {
    isOpen: () => isOpen(file) && hasFolder(file, path),
    ask: (callId) => tell(`${file}.asked`, callId),
  };
}

function tell(asked: string, callId: string): boolean {
  try {
    appendFileSync(asked, `${callId}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Its process runs. What is left of one that was killed goes. */
function isOpen(file: string): boolean {
  const [first = ''] = textIn(file)?.split('\n', 1) ?? [];
  const owner = ownerIn(first);
  if (!owner || !isDead(owner)) return owner !== undefined;
  for (const left of [file, `${file}.asked`]) rmSync(left, { force: true });
  return false;
}

function hasFolder(file: string, path: string): boolean {
  const [, ...folders] = textIn(file)?.split('\n') ?? [];
  return folders.some((folder) => path === folder || path.startsWith(folder + sep));
}

function windowsIn(inbox: string): string {
  return join(inbox, 'windows');
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.window'));
  } catch {
    return [];
  }
}

function touched(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
