import type { ToolUseContent } from '../messages/content.ts';
import { isObject } from '../schema/is-object.ts';

/** Marks a call whose arguments are no JSON object: the mark travels and is kept with the message. */
const UNREADABLE = 'parley/unreadableInput';

/**
 * A model's call of a tool, with what it gave as an object: some pass it on as text. What is no JSON object is kept as `arguments`, for
 * the model to see, and marked: {@link unreadableInput}.
 */
export function toolUse(id: string, name: string, given: unknown): ToolUseContent {
  const input = typeof given === 'string' ? read(given) : (given ?? {});
  if (isObject(input)) return { type: 'tool_use', id, name, input };
  return { type: 'tool_use', id, name, input: { arguments: input }, _meta: { [UNREADABLE]: true } };
}

/** What to tell the model of a call whose input could not be read: such a call never runs, for it would run with defaults. */
export function unreadableInput({ input, _meta }: ToolUseContent): string | undefined {
  if (isObject(input) && _meta?.[UNREADABLE] !== true) return undefined;
  return 'its arguments are no JSON object: send all of them again, as one JSON object';
}

function read(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
