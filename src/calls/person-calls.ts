import type { Operation } from 'effection';
import * as z from 'zod/mini';
import { formJsonSchema } from '../core/form/form-schema.ts';
import { asLabel } from '../core/messages/label.ts';
import { withoutEscapes } from '../core/messages/without-escapes.ts';
import type { CallName, CallStore, CallSummary, LeaveOutcome } from '../runtime/journal/call-store.ts';
import { isNewerJournal, type JournalHeader } from '../runtime/journal/lines.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import type { Session } from '../runtime/session/session.ts';
import { hasGot } from './lease-lines.ts';
import { type CallMessage, callNoteIn, inboxed } from './messages.ts';
import type { ShownCalls } from './port.ts';

/** Where a call is, for the person whom it asks. */
export interface CallPlace {
  /** Who has called the tool. */
  readonly client: string;
  /** The program that runs it. */
  readonly server: string;
  /** Where that runs: a path of this machine. */
  readonly folder: string;
  /** What a person calls the tool. */
  readonly title: string;
}

/** A call of another program that waits for the person. What it says is a stranger's: texts, and no code. */
export interface PersonCall extends CallPlace {
  readonly name: CallName;
  readonly tool: string;
  /** Since when it waits, milliseconds since the epoch. */
  readonly since: number;
  /** Its program is gone. The next of its kind goes on with it, where the person wants that. */
  readonly isInterrupted: boolean;
  /** What it asks, in its order; one at least. */
  readonly asks: readonly ElicitAsk[];
}

/** Most calls that are listed, and how long one whose program is gone can be found in the store, milliseconds. */
const MOST = 1_000;
const GONE_FOR = 600_000;
/** Characters of a message, and of a path. */
const LONGEST = 20_000;
const PATH = 1_000;

const text = z.string().check(z.maxLength(LONGEST));
const id = z.string().check(z.minLength(1), z.maxLength(PATH));
const request = z.union([
  z.object({ mode: z.literal('url'), message: text, url: z.url({ protocol: /^https?$/ }) }),
  z.object({ mode: z.optional(z.literal('form')), message: text, requestedSchema: formJsonSchema }),
]);
const ask = z.object({
  kind: z.literal('elicit'),
  id,
  wireKey: id,
  attempt: z.int().check(z.positive()),
  problem: z.optional(text),
  inEditor: z.optional(z.literal(true)),
  request,
});
const place = z.object({ client: text, server: text, folder: text, title: text, program: text });
const header = z.object({ tool: text, began: z.number() });

/** What waits for the person of this machine, in the store that all their programs share. */
export class PersonCalls {
  readonly #store: CallStore;
  readonly #program: string;

  /** @param program names this program in the store: its own calls are not listed to it */
  constructor(store: CallStore, program: string) {
    this.#store = store;
    this.#program = program;
  }

  /** What waits in other programs, the oldest first. */
  *list(): Operation<readonly PersonCall[]> {
    const all = yield* this.#store.list({ ended: false, limit: MOST });
    const found: PersonCall[] = [];
    for (const one of all) {
      if (one.held || callNoteIn(one.notes)?.stays) found.push(...this.#read(one));
      else if (one.touched + GONE_FOR < Date.now()) yield* this.#store.forget(one.name);
    }
    return found.sort((a, b) => a.since - b.since);
  }

  /** Leaves a message; its program takes it, and says in the store what it came to. Where that is gone, a stop deletes the call. */
  *send(name: CallName, message: CallMessage): Operation<LeaveOutcome> {
    const outcome = message.stop === undefined ? undefined : yield* this.#store.claim(name);
    if (outcome?.type === 'claimed') {
      yield* this.#store.forget(name);
      return 'left';
    }
    return yield* this.#store.leave(name, inboxed(message));
  }

  #read({ name, notes, header: head, held }: CallSummary): readonly PersonCall[] {
    const about = place.safeParse(notes.place);
    const of = header.safeParse(head);
    const note = callNoteIn(notes);
    if (!about.success || !of.success || about.data.program === this.#program) return [];
    const kept: unknown = note?.asks;
    const asks = (Array.isArray(kept) ? kept : []).flatMap((one: unknown) => askOf(one, name, of.data.tool));
    if (asks.length === 0) return [];
    const { client, server, folder, title } = about.data;
    const updated: unknown = note?.updated;
    return [
      {
        ...{
          name,
          asks,
          isInterrupted: !held,
          tool: asLabel(of.data.tool),
          since: typeof updated === 'number' ? updated : of.data.began,
        },
        ...{
          client: asLabel(client),
          server: asLabel(server),
          title: asLabel(title) || asLabel(of.data.tool),
        },
        folder: asLabel(folder, PATH),
      },
    ];
  }
}

/** A question that this program can ask for another; nothing for one that only the other's editor may be answered in. */
function askOf(one: unknown, { callId }: CallName, toolName: string): readonly ElicitAsk[] {
  const parsed = ask.safeParse(one);
  if (!parsed.success || parsed.data.inEditor) return [];
  const { request: asked, problem, id, wireKey, attempt } = parsed.data;
  const message = withoutEscapes(asked.message);
  const known = { kind: 'elicit' as const, id, wireKey, attempt, depth: 0, declared: false };
  return [
    {
      ...known,
      ref: { callId, toolName, key: wireKey, seq: 1 },
      ...(problem !== undefined && { problem: withoutEscapes(problem) }),
      request:
        asked.mode === 'url'
          ? { mode: 'url', message, url: asked.url }
          : { message, requestedSchema: asked.requestedSchema },
    },
  ];
}

/** The program after one: of the same server in the same folder. */
export interface NextProgram extends Pick<CallPlace, 'server' | 'folder'> {
  /** Whether any program has made the store. */
  hasStore(): boolean;
}

/**
 * Lists the calls of a program to its person.
 *
 * @param next goes on with those that can be taken up, once this program is gone: their journals are kept
 */
export function shownToPerson(
  store: ShownCalls['store'],
  program: string,
  placeOf: (session: Session, client: string) => CallPlace,
  next?: NextProgram,
): ShownCalls {
  function* interrupted(isSame: (header: JournalHeader) => boolean) {
    const kept = next?.hasStore() ? yield* store() : undefined;
    for (const { name, held, header, notes } of (yield* kept?.list({ ended: false, limit: MOST }) ?? []) ??
      []) {
      const { data } = place.safeParse(notes.place);
      if (held || data?.server !== next?.server || data?.folder !== next?.folder) continue;
      // It is sealed: what is there, a Parley wrote.
      if (isNewerJournal(header) || !isSame(header as JournalHeader)) continue;
      const call = yield* kept?.read(name) ?? [];
      if (call && !call.held && hasGot(call.lines)) return call;
    }
    return undefined;
  }
  return {
    store,
    says: (session, client) => ({ place: { ...placeOf(session, client), program } }),
    ...(next && { interrupted }),
    forgets: true,
  };
}
