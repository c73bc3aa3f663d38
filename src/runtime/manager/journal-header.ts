import type { JsonValue } from '../../core/messages/json.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { codeVersionOf } from '../../core/world/code-version.ts';
import { PARLEY_VERSION } from '../../core/world/version.ts';
import { toJson } from '../data/json-data.ts';
import { COMMON_VERSION, JOURNAL_VERSION, type JournalHeader } from '../journal/lines.ts';
import type { CreateSession } from './manager.ts';

/** What the journal of a call begins with. */
export function headerOf(options: CreateSession, callId: string, began: number): JournalHeader {
  const { principal = '', conversation = '', capabilities, limits, parentMessages } = options;
  const tool = toolOf(options.tool);
  const params = toJson(options.params);
  return {
    v: options.together ? JOURNAL_VERSION : COMMON_VERSION,
    parley: PARLEY_VERSION,
    tool: tool.name,
    callId,
    principal,
    conversation,
    began,
    ...defined({
      params: params.ok ? params.value : undefined,
      capabilities,
      client: options.claims?.program,
      limits,
      code: codeVersionOf(tool),
      together: options.together,
      carried: options.carried,
      parentMessages: parentMessages as JsonValue[] | undefined,
    }),
  };
}
