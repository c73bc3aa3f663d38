import type { Operation } from 'effection';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { AnsweredBy } from '../core/tool/elicit-refusal.ts';
import type { Leaving } from '../runtime/drive/leaving.ts';
import type {
  CallName,
  CallStore,
  Claim,
  ClaimOutcome,
  ListOptions,
  StoredCall,
} from '../runtime/journal/call-store.ts';
import type { JournalHeader } from '../runtime/journal/lines.ts';
import type { CreateSession, ResumeSession, SessionManager } from '../runtime/manager/manager.ts';
import type { Ask } from '../runtime/session/ask.ts';
import type { Client } from '../runtime/session/client.ts';
import type { Session } from '../runtime/session/session.ts';
import type { CallMessage, CallNote, CallSnapshot, Judgement } from './messages.ts';

/** Gives a session what a message brings for one of its questions; ends when that is durable. Nothing for what is no answer. */
export type GiveAnswer = (
  session: Session,
  ask: Ask,
  wire: unknown,
  attempt: number,
  by: AnsweredBy | undefined,
) => Operation<void> | undefined;

/** Who attaches to a call, and how it goes on there. */
export interface CallAttachment {
  /** Who answers: with its verbs while it is attached, or later, by the next message, where it `can` and has no verb. */
  readonly client: Client;
  /** Up to which event it has been told of the call; nothing of it where nothing is said. One whose rounds these are goes on where it was. */
  readonly after?: number;
  /** Takes the call up from its journal. */
  resume(options: Pick<ResumeSession, 'journal' | 'sink'>): Operation<Session>;
  /**
   * Runs around it. It may run it again with another client, and gives nothing where others go on without this one.
   *
   * @param rounds how many its client was sent
   */
  attended?(
    session: Session,
    run: (client: Client) => Operation<CallSnapshot | undefined>,
    rounds?: number,
  ): Operation<CallSnapshot | undefined>;
  /** It may leave while others go on. */
  readonly leaving?: Leaving;
  /** It has, and nobody else is attached: how a call hears of it that is not to go on alone. */
  left?(session: Session, call: CallSnapshot, outlives: boolean): Operation<void>;
  /** Whether a session that was left standing here may be gone on with: its tool is the same, and nobody follows it who must hear of that. */
  stands?(session: Session): boolean;
  /** Reads the answers of its messages; {@link CallsParts.give} without it. */
  readonly give?: GiveAnswer;
  /** Nobody waits for what comes of it any more. */
  isGone?(): boolean;
  /** It answers only where the call is. */
  readonly staysHere?: true;
  /** The call is in its client's hand. */
  readonly hand?: CallInHand;
  /** What is kept beside the call from here on, and how long it can be looked at, milliseconds since the epoch. */
  readonly keeps?: { readonly beside: JsonObject; readonly until: number };
}

/** The same for one that begins a call. */
export interface CallBeginning extends CallAttachment {
  /** Whether the call can be taken up from its journal; else it is pinned to this process. */
  readonly movable: boolean;
  /** One of a dead process, claimed where calls are shown, that goes on in its place. */
  readonly takesUp?: Extract<ClaimOutcome, { type: 'claimed' }> | undefined;
  create(options: Pick<CreateSession, 'keep' | 'retain' | 'carried'>): Operation<Session>;
}

/** Calls that are in no store: their client has them, sealed, in the name of the next round. */
export interface CallInHand {
  /** What it has brought: as it was sealed, but for the seal. */
  readonly brought?: JsonValue;
  /** Seals a call into the name of its next round; nothing where that would be too long: then it stays here. */
  seal(call: JsonValue): Operation<string | undefined>;
}

/** Which calls to list. */
export type CallQuery = Pick<ListOptions, 'principal' | 'ended' | 'limit' | 'before'>;

/** A message is refused. */
export class CallRefused extends Error {
  readonly why: Exclude<Judgement, 'new' | 'again'> | 'newer';

  constructor(why: CallRefused['why']) {
    super(`a message to a call is refused: ${why}`);
    this.why = why;
  }
}

/** What came of a message that was sent: `left` where it is durable, and `full` where too many wait. */
export type Sent = 'left' | 'full' | Exclude<Judgement, 'new'>;

/**
 * Where calls that are in this process alone are shown to others, who may leave messages for them: with their header and how they stand, as long as they
 * wait. Nothing is opened before the first of them asks a person.
 */
export interface ShownCalls {
  store(): Operation<CallStore | undefined>;
  /** What is kept beside how a call stands, of one that this client is attached to first. */
  says?(session: Session, client: string): JsonObject;
  /**
   * What a dead process of the same server has left there, touched last first. With it the journals of calls that can be taken up are kept there as well, from
   * the first question on.
   */
  interrupted?(isSame: (header: JournalHeader) => boolean): Operation<StoredCall | undefined>;
  /** Nothing is kept of one that has ended. */
  readonly forgets?: true;
}

/**
 * What keeps calls that stay in their process as long as they last, whoever is attached, and are shown again by the one that comes after it: those of an
 * editor's window. Its manager writes their journals.
 */
export interface StayingCalls {
  /** What is kept of a call that runs here; nothing where that is none. */
  of(session: Session): StayingCall | undefined;
  /** Takes up a call that this process has, and that does not run; nothing for one that is not there or cannot go on. */
  takeUp(name: CallName): Operation<Session | undefined>;
}

/** What is kept of a call that stays. */
export interface StayingCall {
  /** Its name in the store. */
  readonly name: CallName;
  /** By which it is held; none before something is kept of it, and when it is over. */
  readonly claim: Claim | undefined;
  /** As the process before has left it. */
  readonly note: CallNote | undefined;
  /** Writes its note, and which messages were taken. It never throws. */
  write(note: CallNote, taken: readonly string[]): Operation<void>;
}

/**
 * How far an attachment goes: `end`; or `blocked`, where it only waits for what nobody here answers. With `begun` nobody waits for it: it
 * goes on by itself until it is blocked, and how it stands is known as soon as it is kept.
 */
export type Until = 'end' | 'blocked' | 'begun';

/** What the calls of a process work with. */
export interface CallsParts {
  readonly manager: SessionManager;
  /** Where the records are that other processes share; without one, all calls are pinned. */
  readonly store?: CallStore | undefined;
  /** All calls of the manager stay here, whoever has begun them. */
  readonly staying?: StayingCalls | undefined;
  /** Where pinned calls are shown; in the `store`, where they do not stay and nothing is said. */
  readonly shown?: ShownCalls | undefined;
  /** How long a pinned call waits for its next round, milliseconds. */
  readonly ttl: number;
  /** Draws a name for the next round of a call: nobody guesses it. */
  newRound(name: CallName): string;
  readonly give: GiveAnswer;
  /** Hears what went wrong beside a call. */
  report(message: string, cause: unknown, about: 'state'): void;
  /** Runs an operation for as long as the calls are there. */
  run<T>(op: () => Operation<T>): Promise<T>;
}

/** All calls that this process can reach: its own, and those of its store. */
export interface Calls {
  /**
   * Begins a call, and drives it with who begins it until it ends or only waits, or by itself. With a message that is `bound` it has rounds: its client
   * comes back with the name of the round that the snapshot has.
   *
   * @throws what `create` throws, and `StoreFullError` and its like
   */
  start(
    beginning: CallBeginning,
    message: Omit<CallMessage, 'id'>,
    until?: Exclude<Until, 'end'>,
  ): Operation<CallSnapshot>;
  /**
   * Goes on with a call, with a client. Several may be attached
   * at once: the first answer counts. What the message says is given on the way; the same message again gets what came of it.
   *
   * @throws `CallRefused`, what `resume` throws, `StoreUnavailableError` and its like
   */
  attach(
    name: CallName,
    attachment: CallAttachment,
    until: Until,
    message?: CallMessage,
  ): Operation<CallSnapshot>;
  /** Leaves a message; durable when it ends. It runs nothing: who is attached takes it, or who attaches next. */
  send(name: CallName, message: CallMessage): Operation<Sent>;
  /** How a call stands; `undefined` for one that is not there. */
  get(name: CallName): Operation<CallSnapshot | undefined>;
  /** Calls back whenever a call should be looked at, perhaps once too often. Returns what stops it. */
  watch(name: CallName, look: () => void): () => void;
  /** Those touched last first. */
  list(query?: CallQuery): Operation<readonly CallSnapshot[]>;
  /** Gives up the calls of a principal who is gone, and gives those that go on in this process alone: to be ended. What goes on by itself stays. */
  abandon(principal: string): readonly Session[];
}
