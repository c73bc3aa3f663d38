import { resultOf } from '../../chat/results.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import { encodeContent } from '../sampler/encode.ts';
import type { LmPart } from '../sampler/parts.ts';

/**
 * How a call ended, as the parts of a language model tool's result.
 *
 * @throws an `Error` with text for the model when the call failed or was stopped: that is how such a tool says so.
 */
export function resultParts(callId: string, end: EndEvent): readonly LmPart[] {
  const { content, isError } = resultOf(callId, end);
  const parts = content.map(encodeContent);
  if (isError) throw new Error(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  return parts.length > 0 ? parts : [{ type: 'text', text: 'The tool is done. It returned nothing.' }];
}
