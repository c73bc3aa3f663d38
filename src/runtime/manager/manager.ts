import type { Operation } from 'effection';
import type { Message } from '../../core/messages/content.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities, MadeBy } from '../../core/tool/context.ts';
import type { AnyTool, ToolLimits } from '../../core/tool/tool.ts';
import type { JournalSink, KeepJournal } from '../journal/sink.ts';
import type { SessionEvent } from '../session/events.ts';
import type { Session } from '../session/session.ts';

/** Whose call it is. Sessions are keyed by principal, conversation and callId. */
export interface SessionKey {
  readonly principal?: string;
  readonly conversation?: string;
  readonly callId?: string;
}

/** What whoever asks for a call says of itself: shown to people, never believed. */
export interface CallerClaims {
  /** The program, as `clientInfo` has it, in words. */
  readonly client?: string;
  /** The same, for tools. */
  readonly program?: MadeBy['client'];
  /** The chat that the call comes from, by an id of its own. */
  readonly chat?: string;
}

/** A call to begin: what runs, with what, for whom, and within which limits. */
export interface CreateSession extends SessionKey {
  /** A plugin, or a bare tool. */
  readonly tool: AnyTool | AnyPlugin;
  readonly params: unknown;
  /** What the clients that will drive it can do: checked against `requires` before any tool code runs. */
  readonly capabilities?: ClientCapabilities;
  readonly limits?: ToolLimits;
  /** The conversation that the call comes from: its tool reads it as `ctx.parentMessages`. */
  readonly parentMessages?: readonly Message[];
  readonly claims?: CallerClaims;
  /**
   * Whoever created it comes back for the result: after its end the session can still be got, until `forget` or the
   * TTL. Without it an ended session is forgotten at once; handles to it go on working.
   */
  readonly retain?: boolean;
  /**
   * Whoever answers takes several questions at once: those of tools that the call calls at once are open at once. Without it they take
   * turns, as a person does.
   */
  readonly together?: true;
  /** Its journal is in its client's hand, which can bring it again: steps that do more than read are for tools that allow `forks`. */
  readonly carried?: true;
  /** Begins to keep the call somewhere beside memory, before any of its code runs. */
  readonly keep?: KeepJournal;
}

/** A call to take up again from its journal. */
export interface ResumeSession {
  /** A plugin, or a bare tool: the one that the journal is of. */
  readonly tool: AnyTool | AnyPlugin;
  /** What `session.journal()` gave, as JSON. */
  readonly journal: unknown;
  /**
   * How to replay it: `strict` refuses another question than then, `lenient` goes on live from there. By itself a durable
   * tool is replayed strictly, and one that only reads leniently; all others need somebody to decide.
   */
  readonly replay?: 'strict' | 'lenient';
  /** What the clients that will drive it can do now: that counts from the first live ask on. */
  readonly capabilities?: ClientCapabilities;
  readonly retain?: boolean;
  /** Where its lines go on being written. */
  readonly sink?: JournalSink;
  /** The call's events, as far as they were kept: the log goes on behind them. */
  readonly events?: readonly SessionEvent[];
}

/** What `continueWith` takes. */
export interface NewVersion {
  /** A plugin, or a bare tool, of the same name. */
  readonly tool: AnyTool | AnyPlugin;
  /** Also where one of the versions promises nothing: a person was told that what it does is done again. */
  readonly anyway?: boolean;
}

/** Names one session of a manager: whose it is, in which conversation, which call; a text is the callId of one without the other two. */
export type SessionName = string | (SessionKey & { readonly callId: string });

/** How much there may be at once. Sizes in bytes. */
export interface ManagerBounds {
  /** Calls that run; more are refused. */
  readonly maxSessions?: number;
  /** Calls that wait for an answer while nobody is attached; beyond it the oldest gives way. */
  readonly maxWaiting?: number;
  /** What parameters, answers and waiting results take up, and logs of calls that nobody attends to; beyond it the oldest that waits gives way. */
  readonly maxBytes?: number;
}

/** Limits of a manager: what all calls together may be, 10,000 sessions, 1,000 waiting and 256 MB by default. Times in milliseconds. */
export interface ManagerLimits extends ManagerBounds {
  /** What the calls of one principal may be: 2,000 sessions, 200 waiting and 32 MB by default. */
  readonly share?: ManagerBounds;
  /** How long a session that no surface shows may stay waiting; at least an hour by default. */
  readonly waitingTtl?: number;
  /** Upper bounds for every call. */
  readonly call?: ToolLimits;
  /** How long cleanup may take before it is reported as stuck; 3 s by default. */
  readonly cleanupGrace?: number;
  /** How many log events a session keeps for late consumers; 1,000 by default. */
  readonly maxLogEvents?: number;
}

/** What `createSessionManager` takes. */
export interface ManagerOptions {
  readonly limits?: ManagerLimits;
  /** Principals whose calls are neither counted nor refused: the person whose program this is. */
  readonly own?: readonly string[];
  /** Begins to keep each call for which nobody else does. */
  readonly keep?: KeepJournal;
  /** Why its calls are stopped when it is closed, as a model reads it. */
  readonly closed?: string;
}

/** What changed, for those who list calls; `forgotten`, that a session which had ended cannot be got any more. */
export interface SessionChange {
  readonly type: 'started' | 'ended' | 'forgotten';
  readonly session: Session;
}

/** A copy of a call that stands still. */
export interface CachedCall {
  /** It goes on here, unless it was dropped meanwhile. @throws `SessionLimitError`: it still stands still */
  goOn(): void;
  /** Puts it away; its cleanup runs, and is not waited for. */
  drop(): void;
}

/** Owns all sessions: they are its children, and outlive whoever created them. */
export interface SessionManager {
  /**
   * Starts a call. Its code runs in the contexts of whoever creates it.
   *
   * @throws `McpCapabilityError` when `capabilities` lack what the tool requires, `ParamsInvalidError`,
   *   `SessionExistsError` for a live duplicate, `SessionLimitError`: all before any of the tool's code.
   */
  create(options: CreateSession): Operation<Session>;
  /**
   * Takes up a call where its journal leaves it: the same callId, the same answers, and nobody is asked, told or shown
   * anything until it is there. Ends then. A call that did not do what it did before is given back failed, with
   * `ReplayDivergedError`.
   *
   * @throws `JournalInvalidError` for what is no journal of this tool, `ReplayDivergedError` for parameters that do not fit
   *   any more, `SessionExistsError`, `SessionLimitError`
   */
  resume(options: ResumeSession): Operation<Session>;
  /**
   * Lets go of a call without ending it, so that it can be taken up again elsewhere: its cleanup runs, its journal ends
   * here. Waits until all of it is written. False when there is none.
   */
  release(name: SessionName): Operation<boolean>;
  /**
   * Keeps a copy of a call that may go on elsewhere: it stands still, and counts for nothing. Before anything happens in it, after a
   * minute, and where many do, it is dropped, as `release` does, so that nothing happens twice; so is it when the call is taken up
   * again. Nothing for a call that is over, or that something happens in.
   *
   * @param gone is called when it is dropped
   */
  cache(name: SessionName, gone: () => void): CachedCall | undefined;
  /**
   * Goes on with another version of the call's tool, within the same session: whoever drives it or waits for it still does. What was
   * answered counts as far as that version asks the same; it is asked for again from there. Ends when the call is there.
   *
   * @throws `ReplayDivergedError` where it would do a step again that was done, or refuses the parameters, `JournalInvalidError`
   *   where a version neither says `.durable()` nor only reads, and what it throws itself: the call goes on with the version that
   *   it has. `CallEndedError`
   */
  continueWith(session: Session, options: NewVersion): Operation<void>;
  /** A session; one that is being taken up is there once its code is where its journal left it. */
  get(name: SessionName): Session | undefined;
  /** Aborts a call and waits for its cleanup. False when there is none. */
  abort(name: SessionName, reason?: string): Operation<boolean>;
  /** Drops a retained session that has ended. */
  forget(name: SessionName): void;
  listActive(): readonly Session[];
  /** Calls back when a session starts or ends. Returns what stops it. */
  subscribe(listener: (change: SessionChange) => void): () => void;
}
