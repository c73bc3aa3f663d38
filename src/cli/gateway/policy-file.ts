import {
  type CallPolicy,
  type PolicyRule,
  readRules,
  rulesPolicy,
  serversMissed,
} from '../../mcp/client/index.ts';
import { UsageError } from '../options.ts';
import { textIn } from './text-in.ts';

/** The policy of a file. */
export interface FilePolicy {
  readonly policy: CallPolicy;
  /** What is said of rules that are about none of these servers: a name that is written wrong forbids nothing. */
  missed(servers: readonly string[]): readonly string[];
}

/**
 * Reads a file of rules: a list, or an object with the list as `parley.policy`, as in the editor's settings.
 *
 * @throws `UsageError` for a file that cannot be read, and for one rule that cannot: it may have been meant to forbid something
 */
export async function policyIn(path: string): Promise<FilePolicy> {
  const text = await textIn(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--policy: '${path}' cannot be read (${error.code})`, { cause: error });
  });
  const problems: string[] = [];
  const rules = readRules(listIn(path, text), true, (problem) => problems.push(problem));
  if (problems.length > 0) throw new UsageError(`${path}: ${problems.join('; ')}`);
  return { policy: rulesPolicy(rules), missed: (servers) => missedIn(path, rules, servers) };
}

function missedIn(path: string, rules: readonly PolicyRule[], servers: readonly string[]): readonly string[] {
  return serversMissed(rules, servers).map(
    (name) => `${path}: a rule is about the server '${name}', and none is called that: it is about no call`,
  );
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
