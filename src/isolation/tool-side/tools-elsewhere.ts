import type { Operation } from 'effection';
import { ParamsInvalidError } from '../../core/errors/definition-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { unlistedTool } from '../../core/tool/tool-facts.ts';
import type { ToolDirectory } from '../../runtime/context/tool-directory.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { SessionPeer } from '../wire/peers.ts';
import { unseenSchema } from '../wire/unseen-schema.ts';

/** The tools that a tool of this realm calls by name: they are where the session is, which finds, checks and runs them. */
export function toolsElsewhere(session: SessionPeer): ToolDirectory {
  return (name, given) => given ?? toolElsewhere(name, session);
}

function toolElsewhere(name: string, session: SessionPeer): AnyTool {
  function* execute(given: unknown, ctx: ToolContext): Operation<JsonValue | undefined> {
    const params = toJson(given);
    if (!params.ok)
      throw new ParamsInvalidError({ toolName: name, problem: `it is not JSON: ${params.problem}` });
    return yield* session.call('callTool', { name, depth: ctx.depth, ...defined({ params: params.value }) });
  }
  const parameters = { schema: unseenSchema, json: { type: 'object' } };
  return unlistedTool({ name, description: 'A tool of another realm', parameters }, execute);
}
