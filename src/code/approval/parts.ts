import type { AskedCall } from './word.ts';

/** Rows of one question. In a table one can look about; a form is a list to go through. */
const ROWS = { table: 200, form: 20 };

/** Characters of all arguments in one question: what a person is asked about, the person has to be able to read. */
const CHARACTERS = 400_000;

/** Calls in portions that one question can show, in order. */
export function inParts<T extends AskedCall>(calls: readonly T[], table: boolean): readonly (readonly T[])[] {
  const most = table ? ROWS.table : ROWS.form;
  const parts: T[][] = [];
  let room = 0;
  for (const call of calls) {
    const size = JSON.stringify(call.args).length;
    const last = parts.at(-1);
    if (!last || last.length >= most || size > room) {
      parts.push([call]);
      room = CHARACTERS - size;
    } else {
      last.push(call);
      room -= size;
    }
  }
  return parts;
}
