import type { JsonValue } from '../../../core/messages/json.ts';
import type { JournalLine } from '../../../runtime/journal/lines.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';

/**
 * The events of a call as its journal knows them: they are written a little late, so a crash may have cut the end off, and a window
 * that closed lets go of its questions. One that was answered is not shown as open, and one that waits is.
 */
export function wholeEvents(
  events: readonly SessionEvent[],
  lines: readonly JournalLine[],
): readonly SessionEvent[] {
  const waiting = openIn(lines);
  const kept = events.filter((event) => event.type !== 'ask_closed' || !waiting.has(event.id));
  const open = new Set<string>();
  for (const event of kept) {
    if ('ask' in event) open.add(event.ask.id);
    else if (event.type === 'ask_closed') open.delete(event.id);
  }
  const whole = [...kept];
  const { at, time } = kept.at(-1) ?? { at: 0, time: 0 };
  const close = (id: string, how: { readonly answer: JsonValue } | { readonly withdrawn: true }): void => {
    if (!open.delete(id)) return;
    const place = { at: at + whole.length - kept.length + 1, time, type: 'ask_closed', id } as const;
    whole.push(
      'answer' in how ? { ...place, how: 'answered', answer: how.answer } : { ...place, how: 'withdrawn' },
    );
  };
  for (const line of lines) {
    if (line.t === 'answer') close(line.id, { answer: line.answer });
    else if (line.t === 'fail' || line.t === 'withdraw') close(line.id, { withdrawn: true });
  }
  // What another server's tool asked is not asked again: its call is over, or was cut short.
  for (const line of lines) if (line.t === 'open' && line.within) close(line.id, { withdrawn: true });
  return whole;
}

/** What a call waits for: for the person alone, or for what it does by itself, too. */
export type Waits = 'person' | 'itself';

/**
 * Whether a call that goes on from these lines, which count, does nothing before somebody answers a question. One whose question was
 * not kept before a crash has to ask it again first.
 */
export function waitsFor(lines: readonly JournalLine[], events: readonly SessionEvent[]): Waits {
  const shown = new Set(events.map((event) => ('ask' in event ? event.ask.id : undefined)));
  const all = [...openIn(lines)];
  return all.length > 0 &&
    all.every(([id, { t, kind }]) => t === 'open' && kind === 'elicit' && shown.has(id))
    ? 'person'
    : 'itself';
}

type Opening = Pick<JournalLine, 't'> & { readonly kind?: string };

/** What was begun and has no outcome, by its id. */
function openIn(lines: readonly JournalLine[]): ReadonlyMap<string, Opening> {
  const open = new Map<string, Opening>();
  for (const line of lines) {
    if (line.t === 'open' && line.within) continue;
    if (line.t === 'open' || line.t === 'step' || line.t === 'timer') open.set(line.id, line);
    else if ('id' in line && line.t !== 'refused' && line.t !== 'undo') open.delete(line.id);
  }
  return open;
}
