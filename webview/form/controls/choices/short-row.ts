import type { Choice } from './choice.ts';

/** So many short choices, of so many characters in all, stand in one row. */
const MOST_IN_A_ROW = 5;
const SHORT_ROW = 60;

/** Whether choices are few and short enough to stand in a row, and none has help to read. */
export function fitInARow(choices: readonly Choice[]): boolean {
  const length = choices.reduce((sum, { title }) => sum + title.length, 0);
  return choices.length <= MOST_IN_A_ROW && length <= SHORT_ROW && !choices.some(hasHelp);
}

/** Whether a choice has more than a title. */
export function hasHelp({ description, recommended, preview }: Choice): boolean {
  return description !== undefined || recommended !== undefined || preview !== undefined;
}
