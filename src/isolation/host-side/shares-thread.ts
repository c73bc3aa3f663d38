import { readFile } from 'node:fs/promises';
import { type Operation, until } from 'effection';
import type { RealmInput } from '../../workspace/load/tool-realm.ts';

/** A line of its own, so that nothing has to run to find out. */
const SAYS_HOST = /^export\s+const\s+isolation\s*=\s*(['"])host\1(?:\s+as\s+const)?\s*;?\s*$/m;

/** Whether the text of a tool file says that its tools share the thread of whoever runs them. */
export function sharesThread(text: string): boolean {
  return SAYS_HOST.test(text);
}

/** Finds the tool files of a load that say so. A file is read again when its module is another. */
export function threadSharers(): (input: RealmInput) => Operation<ReadonlySet<string>> {
  let known: ReadonlyMap<string, Read> = new Map();
  return function* filesThatShare({ entries, modules }) {
    const reading = Array.from(entries, async ([file, name]): Promise<[string, Read]> => {
      const version = modules.get(name)?.version;
      const before = known.get(file);
      if (before && before.version === version) return [file, before];
      const text = await readFile(file, 'utf8').catch(() => '');
      return [file, { version, shares: sharesThread(text) }];
    });
    known = new Map(yield* until(Promise.all(reading)));
    return new Set([...known].flatMap(([file, { shares }]) => (shares ? [file] : [])));
  };
}

/** What was read of a file. */
interface Read {
  /** Of its module then: the line is a part of that. */
  readonly version: string | undefined;
  readonly shares: boolean;
}
