import type { Operation } from 'effection';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';

/** Names one call in a store: as a session is named, with `''` for what nobody said. */
export interface CallName {
  readonly principal: string;
  readonly conversation: string;
  readonly callId: string;
}

/**
 * A hold on a call: who has it writes, nobody else does. It lapses 30 s after it was last renewed or written with, and
 * at once when the process that has it is dead and the store can tell.
 *
 * `fence` rises with each claim. Every write brings it, and one that is not the newest is refused: a
 * process that slept through its lapse cannot write over the one that took the call up.
 */
export interface Claim {
  readonly name: CallName;
  readonly fence: number;
}

/** What came of asking for a claim. */
export type ClaimOutcome =
  /** The call is as it is from here on: nobody else writes. */
  | { readonly type: 'claimed'; readonly claim: Claim; readonly call: StoredCall }
  /** Somebody has it, in this process or another. Ask again: they may give it back, or lapse. */
  | { readonly type: 'held' }
  /** There is no such call (any more). */
  | { readonly type: 'unknown' };

/** What is written in one piece: all of it is kept, or nothing. Times are milliseconds since the epoch. */
export interface Append {
  /**
   * How many lines the call has before these. It makes an append safe to try again when nobody knows what came of it:
   * lines that are there already are not written twice.
   */
  readonly at: number;
  /** Lines of the journal. */
  readonly lines?: readonly JsonValue[];
  /**
   * Small values beside the journal, by name: the last one written counts, `null` takes it away. What is open on a
   * wire, early answers, drafts. Replay never reads them.
   */
  readonly notes?: JsonObject;
  /** When somebody should take the call up although nobody asked: its next timer. `null` for no more. */
  readonly due?: number | null;
  /** The call is over. It is kept for its history, and gives way before calls that still wait. */
  readonly ended?: true;
  /** Ids of messages that are taken out of the call's inbox in the same piece: what they say is in the lines now, or came to nothing. */
  readonly taken?: readonly string[];
  /** The claim is given back in the same piece. */
  readonly release?: true;
}

/** Events are for those who look: they are written late, and the last of them may be lost in a crash. */
export interface EventAppend {
  /** Drops the events that are there first: the writer's log is bounded, and begins later than it did. */
  readonly replace?: true;
  readonly events: readonly JsonValue[];
}

/** A call that the store does not have yet, with the first lines of its journal. */
export interface NewCall extends Omit<Append, 'at' | 'taken' | 'release'> {
  readonly name: CallName;
  /** What its run is about: tool, parameters, versions. Written once. */
  readonly header: JsonValue;
}

/** What somebody leaves for a call without holding it: an answer, a stop. */
export interface InboxMessage {
  /** Drawn by its sender, who uses it again for the same message alone. */
  readonly id: string;
  /** Tells what it says from anything else: of the body, or of what the sender was given. */
  readonly digest: string;
  readonly body: JsonValue;
}

/**
 * What came of leaving a message. An id is known as long as its message waits; who takes it remembers, in its notes, what it has judged.
 *
 * - `left`: it waits for who holds the call, or takes it up next.
 * - `again`: the same message waits already.
 * - `other`: another message of this id waits.
 * - `full`: as many wait as may, in number or bytes ({@link MOST_MESSAGES}); taking some makes room.
 * - `closed`: the call has ended.
 * - `unknown`: there is no such call (any more).
 */
export type LeaveOutcome = 'left' | 'again' | 'other' | 'full' | 'closed' | 'unknown';

/** What a list says of a call, without its lines. Times are milliseconds since the epoch. */
export interface CallSummary {
  readonly name: CallName;
  readonly header: JsonValue;
  readonly notes: JsonObject;
  readonly lineCount: number;
  /** How many messages wait to be taken. */
  readonly inbox: number;
  readonly due: number | undefined;
  readonly ended: boolean;
  /** Whether somebody holds it now. */
  readonly held: boolean;
  /** When it was last written or renewed. */
  readonly touched: number;
  /** What it takes up, bytes, about. */
  readonly size: number;
}

/** A call as it was kept. All of it is the reader's own copy. */
export interface StoredCall extends CallSummary {
  readonly lines: readonly JsonValue[];
}

/** Which calls to list: all that fit everything that is given. */
export interface ListOptions {
  readonly principal?: string;
  readonly conversation?: string;
  readonly ended?: boolean;
  /** At most so many, those touched last first; 100 by default. */
  readonly limit?: number;
  /** Only calls that were touched before: the next page. */
  readonly before?: number;
}

/** A call that somebody should take up. */
export interface DueCall {
  readonly name: CallName;
  /** `timer`: its time has come. `orphan`: who held it is gone, without a word. `message`: one waits to be taken. */
  readonly why: 'timer' | 'orphan' | 'message';
}

/**
 * Keeps journals. Lines, headers, notes and events are opaque JSON to it; what they mean, and that they fit each other,
 * is for who writes them. A store knows who may write (claims), what is there, and what it may throw away (its bounds).
 *
 * Every store passes the contract in `test/unit/stores/contract/`. All operations can be halted: what was asked for has
 * happened by then, whole, or has not.
 *
 * @throws `StoreUnavailableError` from every operation, when what keeps the calls cannot be read or written now
 */
export interface CallStore {
  /**
   * Keeps a new call, claimed by who begins it. It is there whole when this returns; when it fails, nothing is.
   *
   * @throws `SessionExistsError` for a name that is taken, `StoreFullError` when nothing that has ended can give way
   */
  begin(call: NewCall): Operation<Claim>;
  /**
   * Writes what came into a call. When it returns, it survives the process.
   *
   * @throws `ClaimLostError` when the claim is not the newest of its call or the call was forgotten: halt this copy;
   *   `StoreFullError` when the call would outgrow its bound
   */
  append(claim: Claim, what: Append): Operation<void>;
  /** Writes events. @throws `ClaimLostError` */
  appendEvents(claim: Claim, what: EventAppend): Operation<void>;
  /** A call with its lines; `undefined` for one that is not there. It needs no claim: it may be older by the time it is read. */
  read(name: CallName): Operation<StoredCall | undefined>;
  /** The events of a call that are kept, oldest first. */
  readEvents(name: CallName): Operation<readonly JsonValue[]>;
  /**
   * Takes a call up. One that has ended can be claimed, too.
   *
   * @param anyway also from whoever holds it, whose next write is refused: for who ends it
   */
  claim(name: CallName, anyway?: true): Operation<ClaimOutcome>;
  /** Keeps a claim from lapsing, at least every 10 s. @throws `ClaimLostError`: start nothing more, and halt this copy */
  renew(claim: Claim): Operation<void>;
  /** Gives a claim back, if it still is one. */
  release(claim: Claim): Operation<void>;
  /**
   * Leaves a message in a call's inbox, without a claim: anybody may who knows its name. When this says `left` the message survives the
   * process, and who watches the call is told. It is no sign of life of who holds the call.
   */
  leave(name: CallName, message: InboxMessage): Operation<LeaveOutcome>;
  /**
   * The messages that wait in the call's inbox, in the order in which they came. They wait until an append says that they are `taken`, so that
   * a process which dies in between loses none. Who claims a call looks at its `inbox` first: there is nothing to take from most.
   *
   * @throws `ClaimLostError`
   */
  take(claim: Claim): Operation<readonly InboxMessage[]>;
  /** Calls that nobody holds and that somebody should take up. Throws away those that are too old on the way. */
  due(limit?: number): Operation<readonly DueCall[]>;
  list(options?: ListOptions): Operation<readonly CallSummary[]>;
  /** Throws a call away, whoever holds it: their next write is refused. False when there was none. */
  forget(name: CallName): Operation<boolean>;
  /**
   * Tells everybody who watches a call, in other processes, too, to look at it. They hear of it soon, or not at all: who waits looks
   * now and then by itself.
   */
  tell(name: CallName): Operation<void>;
  /** Calls back whenever a call should be looked at, perhaps once too often. Returns what stops it. */
  watch(name: CallName, look: () => void): () => void;
}

/** How many messages wait in one inbox at most; in bytes, as much as a call may take up. */
export const MOST_MESSAGES = 100;

/** How long a claim is good for after its last renewal or write, milliseconds. */
export const CLAIM_TTL = 30_000;
