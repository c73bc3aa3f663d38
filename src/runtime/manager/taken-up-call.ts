import type { Operation } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import { JournalInvalidError, ReplayDivergedError } from '../../core/errors/journal-errors.ts';
import type { Message } from '../../core/messages/content.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ToolLimits } from '../../core/tool/tool.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { JournalHeader } from '../journal/lines.ts';
import { checkedCall } from './checked-call.ts';
import type { ResumeSession } from './manager.ts';

/**
 * Checks what a journal begins with. What its clients can do is checked at its first live ask: until there, what they could
 * counts.
 *
 * @throws `JournalInvalidError` for the journal of another tool, `ReplayDivergedError` when its parameters do not fit any more
 */
export function* takenUpCall(
  { tool }: ResumeSession,
  header: JournalHeader,
  bounds: ToolLimits | undefined,
): Operation<Omit<CallOptions, 'id' | 'key' | 'principal' | 'journal'>> {
  const { name } = toolOf(tool);
  if (header.tool !== name)
    throw new JournalInvalidError({ problem: `it is a call of '${header.tool}', not of '${name}'` });
  if (header.params === undefined)
    throw new JournalInvalidError({
      problem:
        'it holds no parameters. They were not JSON, or it was read after its call had ended: read it before',
    });
  const parentMessages = header.parentMessages as readonly Message[] | undefined;
  const limits = header.limits as ToolLimits | undefined;
  try {
    return yield* checkedCall(
      { tool, params: copyOf(header.params), ...defined({ limits, parentMessages }) },
      bounds,
    );
  } catch (error) {
    if (!isParleyError(error, 'PARAMS_INVALID')) throw error;
    throw new ReplayDivergedError({
      toolName: name,
      did: 'took its parameters',
      does: `refuses them (${error.details?.problem})`,
      line: 0,
      cause: error,
    });
  }
}

/** Parameters are small and JSON: this takes a tenth of the time of `structuredClone`. */
function copyOf(params: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(params));
}
