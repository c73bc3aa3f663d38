import { createHash } from 'node:crypto';
import type { ServerEntry } from './server-entry.ts';

/**
 * Stands for all that is started or reached: the command, its arguments, folder and environment, or the address, its headers and who logs in there.
 * Any change gives another one.
 *
 * @param place where it is written: what a person allowed in one workspace is not allowed in another
 */
export function entryHash(entry: ServerEntry, place = ''): string {
  const { name } = entry;
  const what =
    entry.kind === 'stdio'
      ? [entry.command, entry.args, entry.cwd ?? null, sorted(entry.env)]
      : [
          entry.url,
          sorted(entry.headers),
          ...[entry.client, entry.credentials, entry.scope].filter((one) => one !== undefined),
        ];
  return createHash('sha256')
    .update(JSON.stringify([place, name, entry.kind, ...what]))
    .digest('base64url');
}

function sorted(texts: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
}
