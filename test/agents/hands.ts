import type { Key, Terminal } from './terminal.ts';

/** What a test asks for: the kinds of `workspace/.parley/tools/tools.ts`, and what a person who is asked gives. */
export const given = {
  text: { value: 'Ada' },
  optional: { value: 'Ada' },
  blank: {},
  email: { value: 'ada@example.com' },
  date: { value: '2026-12-24' },
  integer: { value: 3 },
  number: { value: 2.5 },
  boolean: { value: false },
  one: { value: 'green' },
  named: { value: 'g' },
  several: { value: ['mon', 'tue'] },
  empty: {},
  lines: { value: 'Ada' },
  defaults: { seats: 2, really: true },
  texts: { value: ['Ada'] },
} as const;

export type Kind = keyof typeof given;

/** What a person does in a form: types text, or presses keys. */
type Do = string | readonly Key[];

/** How a person works the form of an agent. */
export interface Hands {
  /** The screen while a question is open. */
  readonly asks: RegExp;
  /** What fills the form of a kind in and sends it. */
  readonly answer: Readonly<Record<Kind, readonly Do[]>>;
  /** Absent where a form has no such answer. */
  readonly decline?: readonly Do[];
  readonly cancel: readonly Do[];
  /** A screen that offers no field, and what a person who agrees does there. */
  readonly agrees?: { readonly on: RegExp; readonly does: readonly Do[] };
}

/** Does it, one thing after the other. */
export async function work(terminal: Terminal, does: readonly Do[]): Promise<void> {
  for (const one of does) await (typeof one === 'string' ? terminal.type(one) : terminal.press(...one));
}

const typed = (send: readonly Key[]) =>
  ({
    text: ['Ada', send],
    optional: ['Ada', send],
    email: ['ada@example.com', send],
    date: ['2026-12-24', send],
    integer: ['3', send],
    number: ['2.5', send],
    lines: ['Ada', send],
    texts: ['Ada', send],
  }) as const;

/** How people work the forms of the agents that draw some. */
export const handsOf: Readonly<Record<string, Hands>> = {
  claude: {
    asks: /requests your input/,
    answer: {
      ...typed(['Enter', 'Enter']),
      blank: [['Down', 'Enter']],
      // On, and off again: a box that nobody touched is no answer.
      boolean: [['Space', 'Space', 'Down', 'Enter']],
      one: [['Right', 'Down', 'Enter', 'Enter']],
      named: [['Right', 'Down', 'Enter', 'Enter']],
      several: [['Right', 'Space', 'Down', 'Enter', 'Enter']],
      empty: [['Enter']],
      defaults: [['Down', 'Down', 'Enter']],
    },
    decline: [['Down', 'Right', 'Enter']],
    cancel: [['Escape']],
  },
  codex: {
    asks: /enter to submit|needs your approval/,
    answer: {
      ...typed(['Enter']),
      // A text that may stay empty is followed by what sends it.
      optional: ['Ada', ['Enter', 'Enter']],
      blank: [['Ctrl+N', 'Enter']],
      boolean: [['Down', 'Enter']],
      one: [['Down', 'Enter']],
      named: [['Down', 'Enter']],
      several: ['mon, tue', ['Enter']],
      empty: [['Enter']],
      defaults: [['Enter', 'Ctrl+N', 'Enter']],
    },
    cancel: [['Escape']],
    agrees: { on: /needs your approval/, does: [['Enter']] },
  },
  copilot: {
    asks: /ctrl\+d decline/,
    answer: {
      ...typed(['Enter']),
      blank: [['Enter']],
      boolean: [['Down', 'Enter']],
      one: [['Down', 'Enter']],
      named: [['Down', 'Enter']],
      several: [['Space', 'Down', 'Space', 'Enter']],
      empty: [['Enter']],
      defaults: [['Enter', 'Enter']],
    },
    decline: [['Ctrl+D']],
    cancel: [['Escape']],
  },
};
