import { resultOf } from '../../../chat/results.ts';
import type { EndEvent } from '../../../runtime/session/events.ts';
import { encodeResultContent } from '../../calls/sampler/encode.ts';
import type { LmPart } from '../../calls/sampler/parts.ts';

/**
 * How a call ended, as the parts of a language model tool's result.
 *
 * A call that was stopped is a result: whatever is thrown the editor frames as a mistake in the input, to be mended and tried
 * again.
 *
 * @throws an `Error` with text for the model when the call failed: that is how such a tool says so.
 */
export function resultParts(callId: string, end: EndEvent): readonly LmPart[] {
  const { content, isError } = resultOf(callId, end);
  const parts = encodeResultContent(content);
  if (isError && end.type !== 'aborted')
    throw new Error(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  return parts;
}
