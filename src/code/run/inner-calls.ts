import { type Operation, type Scope, useScope, withResolvers } from 'effection';
import { CallDeniedError, ToolNotApprovedError, ToolNotFoundError } from '../../core/errors/call-errors.ts';
import { ParamsInvalidError } from '../../core/errors/definition-errors.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import { type Offer, toolOf } from '../../core/plugin/offer.ts';
import { validate } from '../../core/schema/validate.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { behindContext } from '../../runtime/call/behind-context.ts';
import {
  CallPolicyContext,
  CallRouteContext,
  type PolicyDecision,
} from '../../runtime/policy/call-policy.ts';
import { onlyReads } from '../../runtime/policy/only-reads.ts';
import type { Approvals } from '../approval/approvals.ts';
import type { CodeContext } from '../approval/questions.ts';
import type { AskedCall } from '../approval/word.ts';
import type { SettledCall, ToolRequest } from '../sandbox/messages.ts';
import type { CodeTools } from './code-tools.ts';
import type { ToolCallTrace, Trace } from './trace.ts';

/**
 * Whether code may call a tool without approval, by the policy of the host. Where there is none, a tool
 * of ours that reads may; what another server says of its tools counts only where that server is trusted.
 *
 * @param params as its schema has parsed them: what the tool gets
 */
function* verdictOn(tool: AnyTool, params: unknown, ctx: CodeContext): Operation<PolicyDecision> {
  const policy = yield* CallPolicyContext.get();
  const session = behindContext(ctx)?.call;
  if (policy && session) {
    const decision = yield* policy.decide({ session, tool, params: params as JsonObject, from: 'inside' });
    if (decision) return decision;
  }
  return { verdict: onlyReads(tool) ? 'allow' : 'ask', why: '' };
}

/** Tools of one run that work at the same time; the others wait, in the order in which they were called. */
const AT_ONCE = 8;

/** A call that may run. */
interface Ready extends AskedCall {
  readonly offer: Offer;
  readonly traced: ToolCallTrace;
  /** The person has said so. */
  readonly approved?: boolean;
}

/** What the calls of a run need. */
export interface InnerCallsParts {
  readonly tools: CodeTools;
  readonly approvals: Approvals;
  readonly trace: Trace;
  readonly ctx: CodeContext;
}

/**
 * The calls of one run of code. What only reads runs at once; what changes something is gathered until the code can do
 * nothing but wait for it, and is asked about together.
 */
export class InnerCalls {
  readonly #parts: InnerCallsParts;
  readonly #scope: Scope;
  readonly #settled: SettledCall[] = [];
  readonly #gathered: Ready[] = [];
  readonly #ready: Ready[] = [];
  /** What there is to know of the tools that were caught up with: once a run, for loops call one many times. */
  readonly #notes = new Map<string, string | undefined>();
  #running = 0;
  #wake = withResolvers<void>();

  /** Calls end with `scope`. */
  constructor(parts: InnerCallsParts, scope: Scope) {
    this.#parts = parts;
    this.#scope = scope;
  }

  /** The code made a call. */
  *take({ id, tool: name, args: json }: ToolRequest): Operation<void> {
    const { tools, approvals, trace, ctx } = this.#parts;
    const traced = trace.begin(name);
    try {
      const note = yield* this.#catchUp(name);
      if (note !== undefined) traced.message = note;
    } catch (thrown) {
      return this.#fail(id, traced, toError(thrown));
    }
    const offer = tools.get(name);
    if (!offer) return this.#fail(id, traced, new ToolNotFoundError({ name }));
    const tool = toolOf(offer);
    const args: unknown = JSON.parse(json);
    if (hidden(args))
      return this.#fail(id, traced, new ParamsInvalidError({ toolName: name, problem: HIDDEN }));
    // A person is not bothered with what cannot run.
    const checked = yield* validate(tool.def.parameters.schema, args);
    if (!checked.ok)
      return this.#fail(id, traced, new ParamsInvalidError({ toolName: name, problem: checked.problem }));
    const { verdict, why, about } = yield* verdictOn(tool, checked.value, ctx);
    const call = { id, offer, tool, args, traced, about };
    if (verdict === 'deny') this.#fail(id, traced, new CallDeniedError({ toolName: name, why }));
    else if (verdict === 'allow') this.#begin(call);
    else if (approvals.granted(call)) this.#begin({ ...call, approved: true });
    else this.#gathered.push(call);
  }

  *#catchUp(name: string): Operation<string | undefined> {
    const { tools } = this.#parts;
    if (tools.catchUp && !this.#notes.has(name)) this.#notes.set(name, yield* tools.catchUp(name));
    return this.#notes.get(name);
  }

  /**
   * What came of calls, once there is something: nothing, when no call is open.
   *
   * @returns `undefined` when the person wants all of it to end
   */
  *next(): Operation<readonly SettledCall[] | undefined> {
    for (;;) {
      if (this.#settled.length > 0) return this.#settled.splice(0);
      if (this.#running > 0) yield* this.#wake.operation;
      else if (this.#gathered.length === 0) return [];
      else if (!(yield* this.#ask(this.#gathered.splice(0)))) return undefined;
    }
  }

  *#ask(calls: readonly Ready[]): Operation<boolean> {
    const decisions = yield* this.#parts.approvals.decide(calls);
    if (!decisions) return false;
    for (const call of calls) {
      const decision = decisions.get(call.id);
      if (!decision || decision.kind === 'refused') {
        const { name } = call.tool;
        this.#refuse(call, decision?.why ?? new ToolNotApprovedError({ toolName: name }).message);
      } else if (decision.edited) {
        call.traced.edited = decision.args;
        // What a rule forbids is not for the table to allow.
        const { name, def } = call.tool;
        const checked = yield* validate(def.parameters.schema, decision.args);
        const { verdict, why } = checked.ok
          ? yield* verdictOn(call.tool, checked.value, this.#parts.ctx)
          : ({ verdict: 'deny', why: checked.problem } as const);
        if (verdict === 'deny')
          this.#fail(call.id, call.traced, new CallDeniedError({ toolName: name, why }));
        else this.#begin({ ...call, args: decision.args, approved: true });
      } else {
        this.#begin({ ...call, approved: true });
      }
    }
    return true;
  }

  #begin(call: Ready): void {
    this.#ready.push(call);
    this.#start();
  }

  #start(): void {
    while (this.#running < AT_ONCE) {
      const call = this.#ready.shift();
      if (!call) return;
      this.#running += 1;
      void this.#scope.run(() => this.#run(call));
    }
  }

  *#run(ready: Ready): Operation<void> {
    const { id, tool, args, traced } = ready;
    const { ctx } = this.#parts;
    try {
      yield* ctx.log('info', `The code calls ${tool.name}`, args);
      const json = JSON.stringify(plainResult(yield* called(ctx, ready)));
      traced.outcome = 'ran';
      this.#settled.push({ id, ok: true, json });
    } catch (thrown) {
      // The call is over: there is nothing to tell, and nobody to tell it to.
      if (isParleyError(thrown, 'CALL_ENDED')) return;
      this.#fail(id, traced, toError(thrown));
    }
    this.#running -= 1;
    this.#start();
    this.#wake.resolve();
    this.#wake = withResolvers<void>();
  }

  #refuse({ id, traced }: Ready, message: string): void {
    traced.outcome = 'refused';
    this.#settled.push({
      id,
      ok: false,
      error: { name: 'ToolNotApprovedError', message, code: 'NOT_APPROVED' },
    });
  }

  #fail(id: number, traced: ToolCallTrace, error: Error): void {
    const { name, message } = error;
    traced.outcome = 'failed';
    traced.message = [message.slice(0, 500), ...(traced.message ? [traced.message] : [])].join('\n');
    const code = isParleyError(error) ? error.code : undefined;
    this.#settled.push({ id, ok: false, error: { name, message, code } });
  }
}

/** The calls of one run. */
export function* useInnerCalls(parts: InnerCallsParts): Operation<InnerCalls> {
  return new InnerCalls(parts, yield* useScope());
}

/** Runs it as a part of this call. Nobody is asked again about what the person has approved here. */
function called(ctx: CodeContext, { offer, tool, args, about, approved }: Ready): Operation<unknown> {
  const given = args as Readonly<Record<string, unknown>>;
  const run = () => (offer.kind === 'parley.plugin' ? ctx.call(offer, given) : ctx.call(offer, given));
  return approved ? CallRouteContext.with({ kind: 'approved', toolName: tool.name, about }, run) : run();
}

const HIDDEN = "an argument may not be called '__proto__'";

/** Whether something in it has a name that other code may take for its prototype. */
function hidden(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hidden);
}

/**
 * What code gets of a tool's result. A tool that answers with content blocks gives its structured content, else its text, else
 * the blocks as they are; anything else is what the tool gave.
 */
function plainResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('content' in result)) return result;
  const { content, structuredContent } = result as { content: unknown; structuredContent?: unknown };
  if (!Array.isArray(content)) return result;
  if (structuredContent !== undefined) return structuredContent;
  const texts = content.map((block: { type?: unknown; text?: unknown } | null) =>
    block?.type === 'text' && typeof block.text === 'string' ? block.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join('\n') : content;
}
