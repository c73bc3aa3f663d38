import { UNSEEN } from '../../core/messages/shown-json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { onlyReads } from '../../runtime/policy/only-reads.ts';

/**
 * Whether a person is asked before a model's call of this tool runs. `readOnlyHint` is what the tool's author claims; it is
 * believed, as the editor believes it, because the author's code runs here anyway: whoever trusts the folder trusts that more.
 * {@link onlyReads} says of which it is not.
 */
export function needsConfirmation(tool: AnyTool): boolean {
  return !onlyReads(tool);
}

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

/** The names of the tools that a manifest declares; nothing of the tools themselves has to be loaded for that. */
export function declaredTools(packageJson: unknown): readonly string[] {
  const { contributes } = packageJson as {
    readonly contributes?: { readonly languageModelTools?: ReadonlyArray<{ readonly name: string }> };
  };
  return (contributes?.languageModelTools ?? []).map(({ name }) => name);
}
