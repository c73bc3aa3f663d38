import { parametersText } from '../../core/messages/parameters-text.ts';
import { titleToDecide } from '../../core/messages/readable-name.ts';
import { shownJson } from '../../core/messages/shown-json.ts';
import type { AskedCall } from './word.ts';

/** Characters of arguments in a line. */
const LINE = 300;

/** Characters of all arguments in one form: a client shows that much. */
export const FORM_CHARACTERS = 8_000;

/** What the person is asked. */
export function messageFor(calls: readonly AskedCall[]): string {
  const names = [...new Set(calls.map(({ tool }) => titleToDecide(tool)))];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
  return calls.length === 1
    ? `Code from the model wants to call “${shown}”, which can make changes. Allow it?`
    : `Code from the model wants to make ${calls.length} calls that can make changes: ${shown}. Clear the calls to refuse.`;
}

/** What a list says of a call: with its arguments where they fit, or where they are. */
export function lineOf({ id, tool, args }: AskedCall): string {
  const text = shownJson(args);
  return `${id}. ${titleToDecide(tool)} ${text.length > LINE ? '(its arguments are above)' : text}`;
}

/** All arguments that no line has room for. Indented: nothing in them is read as Markdown. */
export function longArguments(calls: readonly AskedCall[]): string {
  return calls
    .filter(({ args }) => shownJson(args).length > LINE)
    .map(({ id, tool, args }) => {
      const text = parametersText(args).replace(/^/gm, '    ');
      return `\n\n${id}. ${titleToDecide(tool)}:\n\n${text}`;
    })
    .join('');
}

/** Whether a form can show all of a call's arguments: what cannot be read is not approved. */
export function isReadable({ args }: AskedCall): boolean {
  return parametersText(args).length <= FORM_CHARACTERS;
}
