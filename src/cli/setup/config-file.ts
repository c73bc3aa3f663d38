import { copyFileSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../stores/make-folder.ts';
import { NameTakenError, SetupError } from './setup-error.ts';

/** What a configuration was before it was changed last. */
export const backupOf = (file: string): string => `${file}.before-parley`;

/** How a file is changed. */
interface Change {
  /** Only find out whether there is something to change. */
  readonly tries?: boolean;
  /** It gets a secret: other users of the machine may read it no longer. */
  readonly secret?: boolean;
}

/**
 * Changes the text of a configuration, which need not be there yet, in one piece. Gives whether there was something to change.
 * @throws `SetupError` with the file as it was
 */
export function changeFile(
  file: string,
  change: (text: string) => string,
  { tries = false, secret = false }: Change = {},
): boolean {
  const refuse = (why: string, Refusal = SetupError) => new Refusal(`${file} is as it was: ${why}`);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw refuse('it is a link. Change the file that it leads to by hand');
  if (stats && !stats.isFile()) throw refuse('it is not a file');
  const before = stats && readFileSync(file);
  let after: string;
  try {
    after = change(before ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(before) : '');
  } catch (error) {
    if (error instanceof NameTakenError) throw refuse(error.message, NameTakenError);
    if (error instanceof SetupError) throw refuse(error.message);
    if (error instanceof TypeError) throw refuse('it is not text in UTF-8');
    throw error;
  }
  if (before?.equals(Buffer.from(after)) ?? after === '') return false;
  if (stats && (stats.mode & 0o200) === 0) throw refuse('it is read-only');
  if (tries) return true;
  makeFolder(dirname(file));
  const beside = `${file}.${process.pid}.tmp`;
  try {
    if (before) copyFileSync(file, backupOf(file));
    writeFileSync(beside, after, { mode: stats ? stats.mode & (secret ? 0o700 : 0o777) : 0o600, flag: 'wx' });
    // The agent, which runs, may have written meanwhile.
    const now = stats && readFileSync(file);
    if (now && before && !now.equals(before)) throw refuse('its agent wrote to it just now. Try again');
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    if (error instanceof SetupError) throw error;
    throw refuse((error as Error).message);
  }
  return true;
}
