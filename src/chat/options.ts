import type { Operation } from 'effection';
import type { Calls } from '../calls/port.ts';
import type { AnyPlugin } from '../core/plugin/plugin.ts';
import type { ClientCapabilities } from '../core/tool/context.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import type { SessionManager } from '../runtime/manager/manager.ts';
import type { Client } from '../runtime/session/client.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import type { ChatModel } from './model.ts';
import type { ConversationState } from './state.ts';

/**
 * What becomes of a call that waits for a person.
 *
 * - `end`: the turn ends and the call waits, for callers whose turns must end (HTTP). `client` answers what needs
 *   no person, where it can.
 * - `stay`: the turn stays open while some surface answers. `open` hands the session to that surface, which drives it
 *   in a scope that outlives the turn.
 *
 * `ctx.sample` is answered by the model of the conversation where neither that client nor that surface can sample.
 */
export type Waiting =
  | { readonly mode: 'end'; readonly client?: Client }
  | {
      readonly mode: 'stay';
      /** What that surface can do. */
      readonly capabilities: ClientCapabilities;
      open(session: Session): Operation<void>;
    };

/** A call that the model asks for, before it runs. */
export interface ProposedCall {
  readonly callId: string;
  readonly tool: AnyTool;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a chat engine works with. */
export interface ChatEngineOptions {
  readonly manager: SessionManager;
  /** The calls of that manager, where others attach to them, too. */
  readonly calls?: Calls;
  /** Read anew before each model turn, so that tools may come and go. */
  tools(): ReadonlyArray<AnyTool | AnyPlugin>;
  readonly model: ChatModel;
  readonly waiting: Waiting;
  readonly systemPrompt?: string;
  /** Whose conversations these are; sessions of one principal are out of reach for another. */
  readonly principal?: string;
  /** How many times one turn may call the model; 16 by default. */
  readonly maxIterations?: number;
  /** How many characters of text a result may have; a longer one is cut, and says so. A million by default. */
  readonly maxResult?: number;
  /**
   * How many characters of JSON the model is sent of a conversation; beyond that its oldest turns are left out, which a
   * `history_shortened` event says. Unlimited by default.
   */
  readonly maxHistory?: number;
  /** Asked before each call; `false` gives the model a refusal to act on. All calls are allowed without it. */
  confirm?(call: ProposedCall): Operation<boolean>;
  /**
   * Called before each call, where tools change while they are there: puts the tool in place as it is to be called now. Gives what the
   * model should know of the version that runs; what it throws is the call's result.
   */
  catchUp?(toolName: string): Operation<string | undefined>;
  /**
   * Told, before calls run, what to go on from should this program end while they do: a turn from that state reports them as
   * lost, unless `find` knows them, and the conversation goes on. Only for turns that stay open; a turn that ends gives its state.
   */
  keep?(state: ConversationState): void;
  /**
   * Names the session of a call; by default it has the call's own id. That is unique in its conversation only: many models count
   * their calls.
   */
  sessionId?(callId: string, conversation: string): string;
  /** Looks for a call that this manager does not run: its session, taken up again, or how it ended. Nothing when it is lost. */
  find?(sessionId: string): Operation<Session | EndEvent | undefined>;
}
