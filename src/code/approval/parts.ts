import { parametersText } from '../../core/messages/parameters-text.ts';
import type { AskedCall } from './word.ts';
import { FORM_CHARACTERS } from './words.ts';

/** Rows of one question. In a table one can look about; a form is a list to go through. */
const ROWS = { table: 200, form: 20 };

/** Characters of all arguments in one question: what a person is asked about, the person has to be able to read. */
const CHARACTERS = { table: 400_000, form: FORM_CHARACTERS };

/** Calls in portions that one question can show, in order. */
export function inParts<T extends AskedCall>(calls: readonly T[], table: boolean): readonly (readonly T[])[] {
  const where = table ? 'table' : 'form';
  const most = ROWS[where];
  const parts: T[][] = [];
  let room = 0;
  for (const call of calls) {
    const { length: size } = parametersText(call.args);
    const last = parts.at(-1);
    if (!last || last.length >= most || size > room) {
      parts.push([call]);
      room = CHARACTERS[where] - size;
    } else {
      last.push(call);
      room -= size;
    }
  }
  return parts;
}
