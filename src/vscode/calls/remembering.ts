import type { Operation } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import { effectiveLines } from '../../runtime/journal/effective.ts';
import type { JournalLine, LineOf } from '../../runtime/journal/lines.ts';
import { type Answer, type Ask, answerOf } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';

/** What is kept of an earlier call when its tool is run again. */
export interface Remembered {
  readonly lines: readonly JournalLine[];
  /** Whose answers are kept. */
  readonly person: boolean;
  readonly model: boolean;
}

/** How many answers of each an earlier call has. */
export function countAnswers(lines: readonly JournalLine[]): {
  readonly person: number;
  readonly model: number;
} {
  const all = [...answersIn(lines).values()];
  return {
    person: all.filter(({ kind }) => kind === 'elicit').length,
    model: all.filter(({ kind }) => kind === 'sample').length,
  };
}

/**
 * A client of `session` that gives the answers of an earlier call where the same is asked at the same place, and asks `client` for
 * everything else; `onKept` hears of each that it gives. The same is what has the same fingerprint: message, context, all messages of a prompt, options. An answer that does
 * not fit any more is asked for.
 */
export function remembering(
  client: Client,
  session: Pick<Session, 'printOf' | 'journal'>,
  { lines, person, model }: Remembered,
  onKept: (askId: string) => void = () => {},
): Client {
  const answers = answersIn(lines);
  const asked = new Map<string, Ask>();
  const take = (ask: Ask): Answer | undefined => {
    if (ask.attempt > 1 || answers.size === 0) return undefined;
    const place = placesIn(session.journal().lines, asked).get(ask.id) ?? '';
    const kept = answers.get(place);
    if (!kept || kept.print !== session.printOf(ask.id)) return undefined;
    answers.delete(place);
    return answerOf(structuredClone(kept.answer));
  };
  const first = <A extends Ask, G extends Answer | undefined, Rest extends readonly unknown[]>(
    counts: boolean,
    verb: ((ask: A, ...rest: Rest) => Operation<G>) | undefined,
  ) =>
    function* (ask: A, ...rest: Rest): Operation<G> {
      asked.set(ask.id, ask);
      const kept = counts ? take(ask) : undefined;
      if (kept !== undefined) {
        onKept(ask.id);
        return kept as G;
      }
      if (!verb) throw new Error(`${client.name} cannot answer this`);
      return yield* verb(ask, ...rest);
    };
  return { ...client, elicit: first(person, client.elicit), sample: first(model, client.sample) };
}

interface Kept {
  readonly kind: string;
  /** The fingerprint of what was asked. */
  readonly print: string;
  readonly answer: JsonValue;
}

/** The answers that count, by the place of what they answer. */
function answersIn(lines: readonly JournalLine[]): Map<string, Kept> {
  const open = new Map<string, LineOf<'open'>>();
  const places = placesIn(lines);
  const answers = new Map<string, Kept>();
  for (const { line } of effectiveLines(lines)) {
    if (line.t === 'open') open.set(line.id, line);
    const asked = line.t === 'answer' ? open.get(line.id) : undefined;
    if (line.t !== 'answer' || !asked) continue;
    answers.set(places.get(line.id) ?? '', { ...asked, answer: line.answer });
  }
  return answers;
}

/**
 * The place of each ask, by its id: the how manieth it is of those of its kind and name that count. Ids and wire keys are never given twice, so
 * that those of questions after a Back are none that another call has. What was `asked` may have no line yet: a journal is written in its
 * own time.
 */
function placesIn(
  lines: readonly JournalLine[],
  asked: ReadonlyMap<string, Ask> = new Map(),
): ReadonlyMap<string, string> {
  const opened = effectiveLines(lines).flatMap(({ line }) => (line.t === 'open' ? [line] : []));
  const written = new Set(lines.flatMap((line) => (line.t === 'open' ? [line.id] : [])));
  const unwritten = [...asked.values()].filter(({ id }) => !written.has(id));
  const all = [...opened, ...unwritten.map((ask) => ({ ...ask, key: ask.wireKey }))];
  const counts = new Map<string, number>();
  const places = new Map<string, string>();
  for (const { id, kind, key, depth } of all) {
    const of = JSON.stringify([kind, key.replace(/#\d+$/, ''), depth]);
    counts.set(of, (counts.get(of) ?? 0) + 1);
    places.set(id, `${of} ${counts.get(of)}`);
  }
  return places;
}
