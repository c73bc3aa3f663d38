import { readFile } from 'node:fs/promises';
import { type CallPolicy, readRules, rulesPolicy } from '../../mcp/client/index.ts';
import { UsageError } from '../options.ts';

/**
 * The policy of a file: a list of rules, or an object with the list as `parley.policy`, as in the editor's settings.
 *
 * @throws `UsageError` for a file that cannot be read, and for one rule that cannot: it may have been meant to forbid something
 */
export async function policyIn(path: string): Promise<CallPolicy> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--policy: '${path}' cannot be read (${error.code})`, { cause: error });
  });
  const problems: string[] = [];
  const rules = readRules(listIn(path, text), true, (problem) => problems.push(problem));
  if (problems.length > 0) throw new UsageError(`${path}: ${problems.join('; ')}`);
  return rulesPolicy(rules);
}

function listIn(path: string, text: string): readonly unknown[] {
  const list = listOf(path, text);
  if (Array.isArray(list)) return list;
  throw new UsageError(`${path}: write a list of rules, or an object with one as "parley.policy"`);
}

function listOf(path: string, text: string): unknown {
  try {
    const written: unknown = JSON.parse(text);
    return Array.isArray(written) ? written : Object(written)['parley.policy'];
  } catch (error) {
    throw new UsageError(`${path}: it is no JSON (${String(error)})`, { cause: error });
  }
}
