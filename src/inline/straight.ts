import type { Operation } from 'effection';
import * as z from 'zod/mini';
import type { ToolContext } from '../core/tool/context.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import { unlistedTool } from '../core/tool/tool-facts.ts';

/** What the function of a handler talks through. */
export type StraightContext = ToolContext<Record<never, never>>;

/** The code of a handler. Its name is the tool's: a waiting call goes on with the function of that name only. */
export type StraightCode<A> = (args: A, ctx: StraightContext) => Operation<unknown>;

/**
 * What a handler answers, in a type that every host takes: blocks may be other ones than texts, and on 2026-07-28 a question has no
 * `content` at all.
 */
export interface StraightResult {
  readonly [field: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: { [field: string]: unknown };
  isError?: boolean;
}

/** The handler of a tool, as SDK v1, SDK v2 and fastmcp take it. A tool without a schema is called with what its host hands over alone. */
export type StraightHandler<A> = (args: A, host: unknown) => Promise<StraightResult>;

/** Arguments were checked by the server whose tool it is. */
const anything = { schema: z.looseObject({}), json: { type: 'object' } };

/** Code as a tool of the runtime. It is made for each request: its arguments may be more than JSON. */
export function toolOfCode<A>(name: string, code: StraightCode<A>, args: A, forks: boolean): AnyTool {
  const facts = { name, description: '', parameters: anything };
  const tool = unlistedTool(facts, (_, ctx) => code(args, ctx));
  return { ...tool, def: { ...tool.def, durable: { forks } } };
}
