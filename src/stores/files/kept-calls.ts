import type { JsonValue } from '../../core/messages/json.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import {
  type CallName,
  type CallSummary,
  CLAIM_TTL,
  type DueCall,
  type ListOptions,
  type StoredCall,
} from '../../runtime/journal/call-store.ts';
import { contentOf } from '../entries.ts';
import { AT_ONCE, atOnce } from './at-once.ts';
import { isHeld, type ReadCall } from './call-file.ts';
import { readLog } from './log-file.ts';
import type { Mark } from './marks.ts';
import type { Opened } from './opened.ts';

/** What is written to see whether anything can be: as much as a disk gives out at once. */
const PROBE = { name: 'probe', text: ' '.repeat(4_096) } as const;

/** Whether calls can be kept now. @throws what the disk says when they cannot */
export async function tryToKeep({ disk, layout, marks }: Opened): Promise<void> {
  await disk.readdir(layout.calls);
  await marks.put(PROBE.name, PROBE.text);
  await marks.drop(PROBE.name);
}

/** A call with its lines. */
export async function readKept(store: Opened, name: CallName): Promise<StoredCall | undefined> {
  const call = await store.read(store.layout.of(name));
  return call && stored(store, call);
}

/** The events of a call. */
export async function readKeptEvents(store: Opened, name: CallName): Promise<readonly JsonValue[]> {
  const paths = store.layout.of(name);
  const read = await readLog(paths.events, store.sealing(paths, 'events'));
  // What opens was written by a store: a list for each append.
  return (read?.values as readonly (readonly JsonValue[])[] | undefined)?.flat() ?? [];
}

/** The calls touched last, without their lines. Only so many files are read as are listed, and those left out by `conversation` and `ended`. */
export async function listKept(store: Opened, options: ListOptions): Promise<readonly CallSummary[]> {
  const { principal, conversation, ended, limit = 100, before = Number.POSITIVE_INFINITY } = options;
  const [isOver, all] = await Promise.all([overBy(store, options), store.room.all(principal)]);
  const found = all
    .filter(({ id, touched }) => touched < before && !isOver(id))
    .sort((a, b) => b.touched - a.touched);
  const list: CallSummary[] = [];
  for (let at = 0; at < found.length && list.length < limit; ) {
    const next = found.slice(at, at + Math.min(AT_ONCE, limit - list.length));
    at += next.length;
    for (const call of await atOnce(next, ({ id }) => store.tryToRead(store.layout.at(id)))) {
      const kept = call && stored(store, call);
      if (!kept) continue;
      if (conversation !== undefined && kept.name.conversation !== conversation) continue;
      if (ended !== undefined && kept.ended !== ended) continue;
      const { lines: _, ...summary } = kept;
      list.push(summary);
    }
  }
  return list;
}

/** Which calls are over as far as the marks tell; none where they are not asked. */
async function overBy(store: Opened, { ended, likely }: ListOptions): Promise<(id: string) => boolean> {
  const marks = ended === false && likely ? await store.marks.list('ended') : [];
  const over = new Set(marks.map(({ id }) => id));
  return (id) => over.has(id);
}

/** The calls that somebody should take up, by their marks. */
export async function dueCalls(store: Opened, limit: number): Promise<readonly DueCall[]> {
  await store.room.sweep();
  const due = new Map<string, DueCall>();
  const now = store.now();
  const add = async (mark: Mark, why: DueCall['why'], counts: (call: ReadCall) => boolean) => {
    const call = await store.tryToRead(store.layout.at(mark.id));
    const content = call && contentOf(call.entries);
    if (call && content && counts(call)) {
      const key = callKey(content.name);
      if (!isHeld(call, store.lapses) && !due.has(key)) due.set(key, { name: content.name, why });
      return;
    }
    // What it stands for has not been written yet, or is over.
    if ((await store.marks.age(mark.name)) + CLAIM_TTL <= now) await store.marks.drop(mark.name);
  };
  for (const mark of await store.marks.list('due')) {
    if (mark.time > now || due.size >= limit) break;
    await add(mark, 'timer', ({ facts }) => facts.due !== undefined && facts.due <= now);
  }
  for (const mark of await store.marks.list('held')) {
    if (due.size >= limit) break;
    if (await store.marks.isFresh(mark, store.layout.at(mark.id).journal, store.lapses)) continue;
    await add(mark, 'orphan', ({ facts }) => facts.owner !== undefined && !facts.ended);
  }
  return [...due.values()];
}

/** What a call's file tells; `undefined` for one without a beginning. */
export function stored({ lapses }: Opened, call: ReadCall): StoredCall | undefined {
  const content = contentOf(call.entries);
  if (!content) return undefined;
  const { log, facts, touched } = call;
  const { lineCount, due, ended } = facts;
  return { ...content, lineCount, inbox: 0, due, ended, held: isHeld(call, lapses), touched, size: log.size };
}
