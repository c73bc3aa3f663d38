import { toolOf } from '../../core/plugin/offer.ts';
import {
  type CallPolicy,
  type PolicyRule,
  readRules,
  rulesPolicy,
  serversMissed,
  toolsMissed,
} from '../../mcp/client/index.ts';
import { UsageError } from '../options.ts';
import { listOf, type Offered } from './joined-lists.ts';
import { textIn } from './text-in.ts';

/** The policy of a file. */
export interface FilePolicy {
  readonly policy: CallPolicy;
  /** What is said of rules that are about none of these servers, or with `tools` about none of those: a name that is written wrong forbids nothing. */
  missed(servers: readonly string[], tools?: Offered['tools']): readonly string[];
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
  return { policy: rulesPolicy(rules), missed: (servers, tools) => missedIn(path, rules, servers, tools) };
}

function missedIn(
  path: string,
  rules: readonly PolicyRule[],
  servers: readonly string[],
  tools: Offered['tools'] | undefined,
): readonly string[] {
  const said = (kind: string) => (name: string) =>
    `${path}: a rule is about the ${kind} '${name}', which does not exist, so it applies to no call`;
  if (!tools) return serversMissed(rules, servers).map(said('server'));
  const named = listOf(tools)
    .map(toolOf)
    .map(({ name, def: { foreign } }) => ({
      server: foreign?.server,
      tool: foreign?.tool ?? name,
    }));
  return toolsMissed(rules, named, servers).map(said('tool'));
}

function listIn(path: string, text: string): readonly unknown[] {
  const list = writtenIn(path, text);
  if (Array.isArray(list)) return list;
  throw new UsageError(`${path}: write a list of rules, or an object with one as "parley.policy"`);
}

function writtenIn(path: string, text: string): unknown {
  try {
    const written: unknown = JSON.parse(text);
    return Array.isArray(written) ? written : Object(written)['parley.policy'];
  } catch (error) {
    throw new UsageError(`${path}: it is not JSON (${String(error)})`, { cause: error });
  }
}
