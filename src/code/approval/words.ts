import { titleToDecide } from '../../core/messages/readable-name.ts';
import { shownJson } from '../../core/messages/shown-json.ts';
import type { AskedCall } from './word.ts';

/** Characters of arguments in a line. */
const LINE = 300;

/** What the person is asked. */
export function messageFor(calls: readonly AskedCall[]): string {
  const names = [...new Set(calls.map(({ tool }) => titleToDecide(tool)))];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
  return calls.length === 1
    ? `The model’s code wants to call “${shown}”, which may change something. May it?`
    : `The model’s code wants to make ${calls.length} calls that may change something: ${shown}. Untick what it may not do.`;
}

/** Arguments in one line. */
export function shortly(args: unknown): string {
  const text = shownJson(args);
  return text.length > LINE ? `${text.slice(0, LINE)}… (${text.length} characters)` : text;
}
