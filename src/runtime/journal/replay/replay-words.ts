import type { JournalLine, LineOf } from '../lines.ts';
import { type Asked, firstWords } from '../said.ts';

/** A line that the tool's code causes; on replay it must cause the same. */
export type ToolLine = LineOf<'open' | 'withdraw' | 'step' | 'timer'>;

/** What the tool is about to do. */
export type Doing =
  | ({ readonly t: 'open' } & Asked)
  | {
      readonly t: 'step';
      readonly name: string;
      readonly depth: number;
      readonly call: string | undefined;
    }
  | { readonly t: 'timer'; readonly depth: number }
  | { readonly t: 'withdraw'; readonly id: string };

/** What the tool did then, by its line. */
export function describeLine(line: JournalLine): string {
  switch (line.t) {
    case 'open':
      return `asked ${whomFor(line.kind, line.name, line.says)}`;
    case 'step':
      return line.call ? `called '${line.name}'` : `began the step '${line.name}'`;
    case 'timer':
      return 'slept';
    case 'withdraw':
      return `let go of ${line.id}`;
    case 'answer':
      return `got an answer to ${line.id} that fitted`;
    default:
      return `had ${line.t}`;
  }
}

/** What it does now, instead of what a line says. */
export function describeDoing(doing: Doing, line: ToolLine): string {
  switch (doing.t) {
    case 'open':
      return `asks ${whomFor(doing.kind, doing.name, firstWords(doing.said))}`;
    case 'step':
      if (!doing.call) return `begins the step '${doing.name}'`;
      return `calls '${doing.name}'${'name' in line && line.name === doing.name ? ' with other parameters' : ''}`;
    case 'timer':
      return 'sleeps';
    case 'withdraw':
      return `lets go of ${doing.id}`;
  }
}

function whomFor(kind: Asked['kind'], name: string | undefined, words: string): string {
  const key = name === undefined ? '' : ` ('${name}')`;
  if (kind === 'roots') return `for folders${key}`;
  return `the ${kind === 'elicit' ? 'user' : 'model'} “${words}”${key}`;
}
