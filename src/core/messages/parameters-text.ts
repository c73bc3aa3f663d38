import { UNSEEN } from './shown-json.ts';

/** A line that is longer runs out of sight, and what is there with it. */
const LONGEST_LINE = 100;

/**
 * What a call was asked to do, for the person who allows it: all of its parameters as JSON, in lines that fit, with nothing
 * in them that cannot be seen. A model may not hide the end of them.
 */
export function parametersText(input: unknown): string {
  const text = JSON.stringify(input ?? {}, undefined, 2) ?? '{}';
  return text.replace(UNSEEN, escaped).split('\n').flatMap(folded).join('\n');
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A line in pieces; those that go on are indented and marked. */
function folded(line: string): string[] {
  const characters = Array.from(line);
  if (characters.length <= LONGEST_LINE) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += LONGEST_LINE) {
    pieces.push(`${at === 0 ? '' : '  ↳ '}${characters.slice(at, at + LONGEST_LINE).join('')}`);
  }
  return pieces;
}
