import type { Operation } from 'effection';
import type { Message } from '../messages/content.ts';
import type { Elicit, ElicitDeclarations } from './elicit.ts';
import type { Sample, SampleSchema, SampleTools } from './sample.ts';
import type { RolledBack, Step } from './step.ts';

/** MCP's eight log levels, least severe first. Source: MCP "Logging", RFC 5424. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** One of MCP's log levels. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A fraction from 0 to 1, or a value with its total (any unit). */
export type Progress = number | { readonly value: number; readonly total?: number };

/** A folder that the call may work in. `uri` is a `file:` URI as a rule. Source: MCP "Roots". */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** What `roots` takes. */
export interface RootsOptions {
  /** Names this request on the 2026-07-28 wire; `roots#n` without it. */
  readonly key?: string;
}

/** How a person can be asked: with a form, by a page that they are sent to. */
export interface ElicitationModes {
  readonly form?: true;
  readonly url?: true;
}

/** What the clients of a call can do, composed. */
export interface ClientCapabilities {
  /** A person can be asked: with forms, and by being sent to a page. */
  readonly elicitation?: ElicitationModes;
  /** `context`: the model can be shown the conversation (`includeContext`). */
  readonly sampling?: { readonly tools: boolean; readonly context?: true };
  readonly roots?: true;
  /** An editor lends its abilities, and the person in its window can be asked. */
  readonly editor?: true;
}

/** Who made a call, as it was made: the same after a restart. */
export interface MadeBy {
  /** The program, as it calls itself: anybody may call itself anything. */
  readonly client?: { readonly name: string; readonly version: string };
  /** Who is logged in, or whose call it is in the editor. */
  readonly principal?: string;
}

/** Who a tool works for. */
export interface ToolCaller extends MadeBy {
  /** Whether a person can be asked now. */
  readonly person: boolean;
}

/** The facts and the reporting verbs: what `before` and `after` of a handoff have. */
export interface ReportContext {
  readonly callId: string;
  readonly toolName: string;
  /** 0 in the tool itself, one more in each branch. */
  readonly depth: number;
  /** The history of prompt samplings so far, user and assistant in turn. A fresh frozen array each time it changes. */
  readonly messages: readonly Message[];
  /**
   * The history around this one when it began, a frozen snapshot: in a branch its parent's; in the tool itself the
   * conversation that the call came from, where its caller hands that over, and else nothing.
   */
  readonly parentMessages: readonly Message[];
  readonly capabilities: ClientCapabilities;
  /**
   * Who made the call, and whether a person can be asked.
   *
   * @example
   * const { principal = 'nobody', client } = ctx.caller;
   * yield* ctx.log('info', `for ${principal}, through ${client?.name ?? 'an unknown client'}`);
   */
  readonly caller: ToolCaller;
  /** Aborts when the call (or this branch) ends; hand it to promise APIs. */
  readonly signal: AbortSignal;
  /** Writes to the client's log. `data` is JSON. */
  log(level: LogLevel, message: string, data?: unknown): Operation<void>;
  /** Reports what is going on, and how far it is. */
  notify(message: string, progress?: Progress): Operation<void>;
  /** The workspace folders, the client's roots, or the command's folder. */
  roots(options?: RootsOptions): Operation<readonly Root[]>;
  /**
   * Does something that has an effect, or that is not the same each time, once in the life of the call: what it gave is
   * written down, and given again when the call goes on in another process. It gives JSON. In it nothing is asked, and no
   * other step begins.
   *
   * @throws what `fn` throws, made of its data; `StepError` for a step in a step, and for a result that is not JSON
   * @example
   * const log = yield* ctx.step('read the log', () => readLog(branch), { reads: true });
   * yield* ctx.step('tag', () => tag(version), { undo: () => untag(version) });
   */
  readonly step: Step;
  /** Waits until a time of day: a call that was taken up again waits for the rest. It does not count as machine time. */
  sleep(milliseconds: number): Operation<void>;
}

/** What can be called of a tool: what a caller passes, and what it gives. */
export interface CalledTool<I, R> {
  readonly kind: 'parley.tool';
  readonly types?: { readonly out: R };
  readonly inputType?: I;
}

/** What can be called of a plugin. */
export interface CalledPlugin<I, R> {
  readonly kind: 'parley.plugin';
  readonly mcp: CalledTool<I, R>;
}

/** Parameters as a caller gives them, before the schema's defaults and transforms; anything for a tool whose types are not known. */
export type GivenFields<I> = unknown extends I ? { readonly [field: string]: unknown } : I;

/**
 * Runs another tool inside this call: its questions are this call's, its limits lie within this call's, and it ends with it.
 * By name, it is a tool of this one's host; `server/tool` is the tool of a connected server, which gives
 * `{ content, structuredContent }`.
 *
 * @throws what the tool throws; `ParamsInvalidError` and `McpCapabilityError` before any of its code; `ToolNotFoundError` for a
 *   name that is none; `CallDepthError` for tools that call each other without end.
 *
 * @example
 * const { price } = yield* ctx.call(quote, { flight: 'KL1693' });
 * yield* ctx.call('github/create_issue', { title: `KL1693 costs ${price}` });
 */
export interface CallTool {
  <I, R>(tool: CalledTool<I, R> | CalledPlugin<I, R>, params: GivenFields<NoInfer<I>>): Operation<R>;
  (name: string, params?: Readonly<Record<string, unknown>>): Operation<unknown>;
}

/** What a tool talks through. */
export interface ToolContext<E extends ElicitDeclarations = ElicitDeclarations> extends ReportContext {
  /** Asks the person a declared question, or one made at run time; also `elicit.strict` and `elicit.withRetry`. */
  readonly elicit: Elicit<E>;
  /** Asks the client's model for text, for data (`schema`) or for tool calls (`tools`). */
  readonly sample: Sample;
  /** Asks the model for data until it fits the schema. */
  readonly sampleSchema: SampleSchema;
  /** Asks the model until it calls at least one of the tools. */
  readonly sampleTools: SampleTools;
  /**
   * Undoes all steps since the call began, the last first, each in a step of its own: also those of tools that it has called as values. A second
   * time undoes what has been done since.
   *
   * @throws `RollbackError` when an `undo` threw: the others were tried all the same
   * @example
   * yield* ctx.step('reserve', () => reserve(), { undo: (id) => release(id) });
   * if (!(yield* confirm(ctx, 'Buy it?'))) yield* ctx.rollback();
   */
  rollback(): Operation<RolledBack>;
  /** Runs another tool as a part of this call. */
  readonly call: CallTool;
  /** Runs `fn` one level deeper, with its own history, limits and lifetime. */
  branch<T>(fn: (ctx: BranchContext) => Operation<T>, options?: BranchOptions): Operation<T>;
}

/** What code in a branch talks through. `elicit` is there, and refuses: a person is asked by the call, not a branch. */
export interface BranchContext extends ToolContext<Record<never, never>> {}

/** How a branch starts and what it may use. Limits can only tighten what is left of the parent's. */
export interface BranchOptions {
  /** Start with the parent's history; true by default. */
  readonly inheritMessages?: boolean;
  /** What the branch's history starts with, after what it inherits. */
  readonly messages?: readonly Message[];
  /** Use the parent's system prompt where a sampling gives none; true by default. */
  readonly inheritSystemPrompt?: boolean;
  /** The system prompt of samplings in the branch that give none, in place of an inherited one. */
  readonly systemPrompt?: string;
  /** How many levels may lie below this branch. */
  readonly maxDepth?: number;
  /** Tokens all samplings of the branch may use together. */
  readonly maxTokens?: number;
  /** Milliseconds of machine time. */
  readonly timeout?: number;
}
