import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreDamagedError, StoreVersionError } from '../../core/errors/store-errors.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import { makeFolder } from '../make-folder.ts';
import { ifThere } from './log-file.ts';

const FORMAT = 1;

/** Where the parts of a call are. Names of files tell nothing: they are digests. */
export interface CallPaths {
  /** Names the call among files: its principal's folder and its own name. */
  readonly id: string;
  readonly folder: string;
  readonly journal: string;
  readonly events: string;
}

/** Where things are in a folder. */
export interface Layout {
  /** Drawn when the store was made: what was sealed for another store does not open here. */
  readonly storeId: string;
  readonly calls: string;
  readonly marks: string;
  share(principal: string): string;
  of(name: CallName): CallPaths;
  /** The call of an id that `of` gave. */
  at(id: string): CallPaths;
}

/**
 * The layout of a folder; what is missing is made. Without a wait: a process does it once, and in one that is busy, as an editor that starts
 * is, ten small waits are seconds. @throws `StoreVersionError`, `StoreDamagedError`
 */
export function openLayout(folder: string): Layout {
  const calls = join(folder, 'calls');
  const marks = join(folder, 'marks');
  for (const path of [folder, calls, marks]) makeFolder(path);
  const storeId = idOf(folder);
  const digest = (text: string) =>
    createHash('sha256').update(`${storeId} ${text}`).digest('hex').slice(0, 32);
  const at = (id: string): CallPaths => {
    const [share = '', own = ''] = id.split('.');
    const path = join(calls, share, own);
    return { id, folder: join(calls, share), journal: `${path}.journal`, events: `${path}.events` };
  };
  return {
    storeId,
    calls,
    marks,
    share: (principal) => join(calls, digest(principal)),
    of: (name) => at(`${digest(name.principal)}.${digest(callKey(name))}`),
    at,
  };
}

function idOf(folder: string): string {
  const path = join(folder, 'store.json');
  const known = read(path);
  if (known !== undefined) return known;
  // Whole before it has its name, so that of several processes the first wins and nobody reads half of it.
  const draft = join(folder, `store.${randomUUID()}.new`);
  const text = `${JSON.stringify({ format: FORMAT, id: randomUUID() })}\n`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  unlinkSync(draft);
  return read(path) ?? '';
}

function read(path: string): string | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const { format, id } = parse(text, path);
  if (format !== FORMAT) throw new StoreVersionError(path, String(format), String(FORMAT));
  if (typeof id !== 'string') throw new StoreDamagedError(path, 'it names no store');
  return id;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return ifThere(undefined)(error as NodeJS.ErrnoException);
  }
}

function parse(text: string, path: string): { readonly format?: unknown; readonly id?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    throw new StoreDamagedError(path, 'it is no JSON', { cause });
  }
}
