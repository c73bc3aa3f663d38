import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreDamagedError, StoreVersionError } from '../../core/errors/store-errors.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import { callKey } from '../call-key.ts';
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

/** The layout of a folder; what is missing is made. @throws `StoreVersionError`, `StoreDamagedError` */
export async function openLayout(folder: string): Promise<Layout> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const storeId = await idOf(folder);
  const calls = join(folder, 'calls');
  const marks = join(folder, 'marks');
  await mkdir(calls, { recursive: true, mode: 0o700 });
  await mkdir(marks, { recursive: true, mode: 0o700 });
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

async function idOf(folder: string): Promise<string> {
  const path = join(folder, 'store.json');
  const known = await read(path);
  if (known !== undefined) return known;
  // Whole before it has its name, so that of several processes the first wins and nobody reads half of it.
  const draft = join(folder, `store.${randomUUID()}.new`);
  await writeFile(draft, `${JSON.stringify({ format: FORMAT, id: randomUUID() })}\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await read(path)) ?? '';
}

async function read(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(ifThere(undefined));
  if (text === undefined) return undefined;
  const { format, id } = parse(text, path);
  if (format !== FORMAT) throw new StoreVersionError(path, String(format), String(FORMAT));
  if (typeof id !== 'string') throw new StoreDamagedError(path, 'it names no store');
  return id;
}

function parse(text: string, path: string): { readonly format?: unknown; readonly id?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    throw new StoreDamagedError(path, 'it is no JSON', { cause });
  }
}
