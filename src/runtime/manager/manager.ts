import type { Operation } from 'effection';
import type { Message } from '../../core/messages/content.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool, ToolLimits } from '../../core/tool/tool.ts';
import type { Session } from '../session/session.ts';

/** Whose call it is. Sessions are keyed by principal, conversation and callId. */
export interface SessionKey {
  readonly principal?: string;
  readonly conversation?: string;
  readonly callId?: string;
}

/** What whoever asks for a call says of itself: shown to people, never believed. */
export interface CallerClaims {
  /** The program, as `clientInfo` has it. */
  readonly client?: string;
  /** The chat that the call comes from, by an id of its own. */
  readonly chat?: string;
}

/** What `create` takes. */
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
}

/** Names one session. */
export type SessionName = SessionKey & { readonly callId: string };

/** How much there may be at once. Sizes in bytes. */
export interface ManagerBounds {
  /** Calls that run; more are refused. */
  readonly maxSessions?: number;
  /** Calls that wait for an answer while nobody is attached; beyond it the oldest gives way. */
  readonly maxParked?: number;
  /** What parameters and waiting results take up; beyond it the oldest that waits gives way. */
  readonly maxBytes?: number;
}

/** Limits of a manager: what all calls together may be, 10,000 sessions, 1,000 parked and 256 MB by default. Times in milliseconds. */
export interface ManagerLimits extends ManagerBounds {
  /** What the calls of one principal may be: 2,000 sessions, 200 parked and 32 MB by default. */
  readonly share?: ManagerBounds;
  /** How long a session that no surface shows may stay parked; at least an hour by default. */
  readonly parkedTtl?: number;
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
}

/** What changed, for those who list calls; `forgotten`, that a session which had ended cannot be got any more. */
export interface SessionChange {
  readonly type: 'started' | 'ended' | 'forgotten';
  readonly session: Session;
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
  get(name: SessionName): Session | undefined;
  /** Aborts a call and waits for its cleanup. False when there is none. */
  abort(name: SessionName, reason?: string): Operation<boolean>;
  /** Drops a retained session that has ended. */
  forget(name: SessionName): void;
  listActive(): readonly Session[];
  /** Calls back when a session starts or ends. Returns what stops it. */
  subscribe(listener: (change: SessionChange) => void): () => void;
}
