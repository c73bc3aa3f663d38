import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { type Operation, until } from 'effection';
import { listedTool } from '../reader/read-answer.ts';
import { errorWords, isUnknownMethod } from '../transport/failed-request.ts';
import { isThroughTooMany, MOST_THROUGH } from './through.ts';

/** What a server says it offers, as it says it, within bounds. */
export interface ServerOffers {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** What was left out, and why. */
  readonly problems: readonly string[];
}

/** Before a server was asked. */
export const NO_OFFERS: ServerOffers = { tools: [], prompts: [], resources: [], templates: [], problems: [] };

/** Items of one list, and characters of one item, that are taken of a server. */
const MOST = 5_000;
const LONGEST = 256 * 1024;

/** Characters that are shown of why a list is none. */
const SHOWN = 1_000;

/** How long a server may take for a list. Milliseconds. */
const TIMEOUT = 30_000;

/** Asks a server for all that it offers. Lists that it does not declare are empty. */
export function* readOffers(client: Client): Operation<ServerOffers> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const problems: string[] = [];
  const options = { timeout: TIMEOUT, cacheMode: 'refresh' as const };
  const listed = function* <T extends object>(
    what: string,
    declared: unknown,
    list: () => Promise<readonly T[]>,
  ): Operation<readonly T[]> {
    if (declared === undefined) return [];
    try {
      return bounded(what, yield* until(list()), problems);
    } catch (error) {
      if (!isAnswer(error)) throw error;
      problems.push(`its ${what} could not be read: ${errorWords(error).slice(0, SHOWN)}`);
      return [];
    }
  };
  return {
    tools: yield* listed('tools', tools, () =>
      client.listTools(undefined, options).then((list) => list.tools.map(listedTool)),
    ),
    prompts: yield* listed('prompts', prompts, () =>
      client.listPrompts(undefined, options).then((list) => list.prompts),
    ),
    resources: yield* listed('resources', resources, () =>
      client.listResources(undefined, options).then((list) => list.resources),
    ),
    templates: yield* listed('templates', resources, () =>
      client.listResourceTemplates(undefined, options).then(
        (list) => list.resourceTemplates,
        // Not all that have resources answer this.
        () => [],
      ),
    ),
    problems,
  };
}

/** Whether a server said something, though no list: one that says so of one of its lists has others still. */
function isAnswer(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'number' || NO_LIST.includes(error.code) || isUnknownMethod(error);
}

const NO_LIST: readonly unknown[] = ['INVALID_RESULT', 'LIST_PAGINATION_EXCEEDED'];

function bounded<T extends object>(what: string, all: readonly T[], problems: string[]): readonly T[] {
  const items = all.filter((item) => !isThroughTooMany(item));
  if (items.length < all.length) {
    const left = `${all.length - items.length} of its ${what} have come through ${MOST_THROUGH} servers`;
    problems.push(`${left} and are left out: do servers name each other in a circle?`);
  }
  const some = items.slice(0, MOST);
  if (items.length > some.length) {
    problems.push(`it has ${items.length} ${what}: the first ${MOST} are taken`);
  }
  return some.filter((item) => {
    const size = JSON.stringify(item).length;
    if (size > LONGEST)
      problems.push(`one of its ${what} is described in ${size} characters: it is left out`);
    return size <= LONGEST;
  });
}
