import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { JournalLine, LineOf } from '../lines.ts';

type Opened = LineOf<'open'>;

/** What a question is known again by. */
type Named = Pick<Opened, 'name' | 'depth'>;

/**
 * Answers that do not count any more: the call went back, or another version of its tool goes on. The next question of the same name
 * is filled in with them, in their order. All of it follows from the lines, so it is the same in every process.
 */
export class LeftOut {
  readonly #waiting = new Map<string, JsonObject[]>();
  readonly #given = new Map<string, JsonObject>();

  constructor(lines: readonly JournalLine[]) {
    let counted: { readonly line: JournalLine; readonly index: number }[] = [];
    for (const [index, line] of lines.entries()) {
      if (line.t === 'rewind') {
        this.#leaveOut(counted, line.keep);
        counted = counted.filter((one) => one.index < line.keep);
        continue;
      }
      counted.push({ line, index });
      if (line.t === 'open' && line.kind === 'elicit') this.take(line.id, line);
    }
  }

  /** What a question that was asked is filled in with. */
  of(id: string): JsonObject | undefined {
    return this.#given.get(id);
  }

  /** What the next question of a name is filled in with. */
  take(id: string, asked: Named): JsonObject | undefined {
    const next = this.#waiting.get(nameOf(asked))?.shift();
    if (next) this.#given.set(id, next);
    return next;
  }

  #leaveOut(counted: readonly { readonly line: JournalLine; readonly index: number }[], keep: number): void {
    const answers = new Map<string, JsonObject>();
    for (const { line, index } of counted) {
      const content = line.t === 'answer' && index >= keep ? contentOf(line.answer) : undefined;
      if (line.t === 'answer' && content) answers.set(line.id, content);
    }
    const again = new Map<string, JsonObject[]>();
    for (const { line, index } of counted) {
      if (line.t !== 'open' || line.kind !== 'elicit') continue;
      const content = answers.get(line.id) ?? (index < keep ? undefined : this.#given.get(line.id));
      if (!content) continue;
      // One that is open still, for its answer does not fit any more.
      if (index < keep) this.#given.set(line.id, content);
      else again.set(nameOf(line), [...(again.get(nameOf(line)) ?? []), content]);
    }
    for (const [name, contents] of again) {
      this.#waiting.set(name, [...contents, ...(this.#waiting.get(name) ?? [])]);
    }
  }
}

function nameOf({ name, depth }: Named): string {
  return JSON.stringify([depth, name ?? null]);
}

function contentOf(answer: JsonValue): JsonObject | undefined {
  if (!isObject(answer) || answer.action !== 'accept') return undefined;
  return isObject(answer.content) ? answer.content : undefined;
}
