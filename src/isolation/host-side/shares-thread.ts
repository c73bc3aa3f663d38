import { readFile } from 'node:fs/promises';
import { type Operation, until } from 'effection';
import type { RealmInput } from '../../workspace/load/tool-realm.ts';

/** A line of its own, so that nothing has to run to find out. */
const SAYS_HOST = /^export\s+const\s+isolation\s*=\s*(['"])host\1(?:\s+as\s+const)?\s*;?\s*$/m;

/** Whether the text of a tool file says that its tools share the thread of whoever runs them. */
export function sharesThread(text: string): boolean {
  return SAYS_HOST.test(text);
}

/** The tool files of a load that say so. */
export function* filesThatShare({ entries }: RealmInput): Operation<ReadonlySet<string>> {
  const texts = [...entries.keys()].map(async (file) => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return sharesThread(text) ? [file] : [];
  });
  return new Set((yield* until(Promise.all(texts))).flat());
}
