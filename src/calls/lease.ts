import { type Operation, withResolvers } from 'effection';
import type { CallName, Claim, InboxMessage } from '../runtime/journal/call-store.ts';
import type { CachedCall } from '../runtime/manager/manager.ts';
import { type EndEvent, RELEASED } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import { hasGot, type LeaseLines, type ShownLines } from './lease-lines.ts';
import { type CallNote, callNoted } from './messages.ts';
import type { StayingCall } from './port.ts';
import type { ShownCall } from './shown-call.ts';

/** Between two looks at a call that works, or that somebody else holds, milliseconds, at first. */
export const BUSY = 20;
/** From such a pause on who holds a call is told what is said to it, or a stop takes it from them, milliseconds. */
export const LONG_HELD = 100;

/** What a lease begins with. */
export type LeaseStart = Pick<CallLease, 'name' | 'session' | 'note'> &
  Partial<Pick<CallLease, 'lines' | 'shownLines' | 'staying' | 'pinned' | 'inHand' | 'at' | 'inbox'>>;

/** What this process has of a call: its claim, and its session. Clients are attached to it. */
export class CallLease {
  readonly name: CallName;
  readonly session: Session;
  /** Where it is kept; nothing for one that is in no store. */
  readonly lines: LeaseLines | undefined;
  /** Its journal where it is shown, for the process that comes after this one. */
  shownLines: ShownLines | undefined;
  /** What keeps it as long as it stays here. */
  readonly staying: StayingCall | undefined;
  /** It has come in its client's hand, and goes back into it. */
  readonly inHand: boolean;
  /** What others see of it, that is in this process alone. */
  shown: ShownCall | undefined;
  /** It is never given back: nobody else can go on with the call. */
  pinned: boolean;
  note: CallNote;
  /** Answers that wait for their questions, while somebody is attached. */
  early: Map<string, unknown> | undefined;
  /** What was left for it while nobody had it. */
  inbox: readonly InboxMessage[];
  /** Those of these that count, until that is written. */
  readonly taken: string[] = [];
  /** Where the log and progress of whoever opens its rounds go on. */
  at: number;
  /** How many are attached. */
  attached = 0;
  /** Others were told of it while it was here. */
  isWatched = false;
  /** It is being given back, or has been. */
  isLeft = false;
  /** How it is left is being written. */
  leaving = false;
  /** It goes on by itself, whoever else is attached. */
  isAlone = false;
  /** Somebody has stopped it: nothing else comes of it. */
  stopped: EndEvent | undefined;
  cached: CachedCall | undefined;
  /** When a round that is not opened is over, milliseconds since the epoch. */
  expires = Number.POSITIVE_INFINITY;
  /** What it came to is being written. */
  ending: Operation<void> | undefined;
  stopKeeping: (() => void) | undefined;

  constructor({ name, session, note, lines, ...start }: LeaseStart) {
    this.name = name;
    this.session = session;
    this.note = note;
    this.lines = lines;
    this.shownLines = start.shownLines;
    this.staying = start.staying;
    this.pinned = start.pinned ?? false;
    this.inHand = start.inHand ?? false;
    this.at = start.at ?? 0;
    this.inbox = start.inbox ?? [];
  }

  /** Whether somebody looks at it who is not attached: what it comes to is kept, and told. */
  get isLookedAt(): boolean {
    return this.note.until !== undefined;
  }

  /** Whether another process can go on with it once this one is dead. */
  get outlives(): boolean {
    return this.isWorthKeeping && this.shownLines?.held?.isKept === true;
  }

  /** Whether something would be lost with it that can be kept. */
  get isWorthKeeping(): boolean {
    const end = this.session.ended();
    const isOver = end && !(end.type === 'aborted' && end.reason === RELEASED);
    return !isOver && this.shownLines !== undefined && hasGot(this.session.journal().lines);
  }

  /** By which this process has it in a store. */
  get claim(): Claim | undefined {
    return this.lines?.held?.claim ?? this.staying?.claim;
  }

  /** What it is called there. */
  get storeName(): CallName {
    return this.staying?.name ?? this.name;
  }

  /** Writes how it stands, where it is kept, and which messages were taken. */
  *write(note: CallNote): Operation<void> {
    const { held } = this.lines ?? {};
    const taken = this.taken.splice(0);
    if (held) yield* held.append({ notes: callNoted(note), taken });
    else if (this.staying) yield* this.staying.write({ ...note, stays: true }, taken);
    yield* this.shown?.write(note, taken) ?? [];
  }

  /** Called when somebody has left it. */
  onFreed = (): void => {};

  /** Ends when one of those who are attached has left it. */
  *freed(): Operation<void> {
    const { operation, resolve } = withResolvers<void>('somebody leaves the call');
    this.onFreed = resolve;
    yield* operation;
  }

  /** Whether the call is here: who comes attaches to it. */
  get isHere(): boolean {
    return this.pinned || (this.attached > 0 && !this.isLeft);
  }
}
