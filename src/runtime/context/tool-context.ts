import type { Operation } from 'effection';
import { ToolCodeError } from '../../core/errors/definition-errors.ts';
import type { Message } from '../../core/messages/content.ts';
import type {
  BranchContext,
  CallTool,
  ClientCapabilities,
  LogLevel,
  Progress,
  Root,
  RootsOptions,
  ToolCaller,
} from '../../core/tool/context.ts';
import type { Elicit, ElicitDeclarations } from '../../core/tool/elicit.ts';
import type { Step } from '../../core/tool/step.ts';
import { Backed, behindContext, standBehind } from '../call/behind-context.ts';
import type { Frame } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { historyMessage } from '../data/json-messages.ts';
import { createSampling, type SamplingVerbs, withSamplingSteps } from '../sampling/index.ts';
import { EVERYTHING } from '../session/capabilities.ts';
import { askRoots } from './asks/roots-ask.ts';
import { askModel } from './asks/sample-ask.ts';
import { createBranch } from './branch.ts';
import { createCallTool, type RunInner } from './call-tool.ts';
import { createElicit } from './elicit.ts';
import { report, reportProgress } from './report.ts';
import { createStep, rollBack, sleepUntilDue } from './step.ts';
import type { Unfinished } from './unfinished.ts';

const { editor: _, ...ANYBODY } = EVERYTHING;

type Verb = (...args: never[]) => Operation<unknown>;

/** The phases of a handoff that ask nobody. */
export type QuietPhase = 'before' | 'after';

/** What the target of `ctx.call` is called, whatever it is. */
function nameOf(target: unknown): unknown {
  if (typeof target !== 'object' || target === null) return target;
  const { name, mcp } = target as { readonly name?: string; readonly mcp?: { readonly name?: string } };
  return name ?? mcp?.name;
}

/**
 * The context of one level of a call. Verbs are made when they are first read, and do not need `this`: a tool may take
 * its context apart, and most use few of them.
 */
export class CallContext extends Backed implements BranchContext {
  readonly #call: ToolSide;
  readonly #frame: Frame;
  readonly #unfinished: Unfinished;
  readonly #run: RunInner;
  readonly #phase: QuietPhase | undefined;
  #elicit: Elicit<Record<never, never>> | undefined;
  #sampling: SamplingVerbs | undefined;
  #callTool: ReturnType<typeof createCallTool> | undefined;

  /**
   * @param run runs a tool that this one calls
   * @param phase of a handoff, where it asks nobody
   */
  constructor(call: ToolSide, frame: Frame, unfinished: Unfinished, run: RunInner, phase?: QuietPhase) {
    super();
    this.#call = call;
    this.#frame = frame;
    this.#unfinished = unfinished;
    this.#run = run;
    this.#phase = phase;
  }

  get callId(): string {
    return this.#call.id;
  }

  get toolName(): string {
    return this.#call.toolName;
  }

  get depth(): number {
    return this.#frame.depth;
  }

  get messages(): readonly Message[] {
    return this.#frame.messages;
  }

  get parentMessages(): readonly Message[] {
    return this.#frame.parentMessages;
  }

  get capabilities(): ClientCapabilities {
    // While nobody has said what they can, everybody who might come is assumed to be able to do anything but lend an editor.
    return this.#call.gate.capabilities() ?? ANYBODY;
  }

  get caller(): ToolCaller {
    return { ...this.#call.gate.madeBy, person: this.capabilities.elicitation !== undefined };
  }

  get signal(): AbortSignal {
    return this.#frame.signal;
  }

  get log(): (level: LogLevel, message: string, data?: unknown) => Operation<void> {
    return (level, message, data) =>
      this.#unfinished.note('ctx.log', report(this.#call, this.#frame, level, message, data), message);
  }

  get notify(): (message: string, progress?: Progress) => Operation<void> {
    return (message, progress) =>
      this.#unfinished.note(
        'ctx.notify',
        reportProgress(this.#call, this.#frame, message, progress),
        message,
      );
  }

  get roots(): (options?: RootsOptions) => Operation<readonly Root[]> {
    return (options) => this.#unfinished.note('ctx.roots', askRoots(this.#call, this.#frame, options?.key));
  }

  get step(): Step {
    const step = createStep(this.#call, this.#frame);
    return (name, fn, options) => this.#unfinished.note('ctx.step', step(name, fn, options), name);
  }

  get sleep(): (milliseconds: number) => Operation<void> {
    return (milliseconds) =>
      this.#unfinished.note('ctx.sleep', sleepUntilDue(this.#call, this.#frame, milliseconds));
  }

  get elicit(): Elicit<Record<never, never>> {
    this.#inClient('elicit');
    this.#elicit ??= createElicit<ElicitDeclarations>(this.#call, this.#frame, this.#unfinished) as Elicit<
      Record<never, never>
    >;
    return this.#elicit;
  }

  get sample(): SamplingVerbs['sample'] {
    return this.#verbs('sample').sample;
  }

  get sampleSchema(): SamplingVerbs['sampleSchema'] {
    return this.#verbs('sampleSchema').sampleSchema;
  }

  get sampleTools(): SamplingVerbs['sampleTools'] {
    return this.#verbs('sampleTools').sampleTools;
  }

  get call(): CallTool {
    this.#inClient('call');
    this.#callTool ??= createCallTool(this.#call, this.#frame, this, this.#run);
    const call = this.#callTool;
    return (tool: unknown, params?: unknown) =>
      this.#unfinished.note('ctx.call', call(tool, params), nameOf(tool)) as never;
  }

  get rollback(): BranchContext['rollback'] {
    this.#inClient('rollback');
    return () => this.#unfinished.note('ctx.rollback', rollBack(this.#call, this.#frame));
  }

  get branch(): BranchContext['branch'] {
    this.#inClient('branch');
    const unfinished = this.#unfinished;
    const branch = createBranch(this.#call, this.#frame, (call, frame, within) => {
      const ctx = new CallContext(call, frame, within, this.#run);
      const behind = behindContext(this);
      if (behind) standBehind(ctx, { ...behind, frame });
      return ctx;
    });
    return (fn, options) => unfinished.note('ctx.branch', branch(fn, options));
  }

  /** Types say so, too: this is for code without them. @throws `ToolCodeError` in `before` and `after` */
  #inClient(verb: string): void {
    if (this.#phase === undefined) return;
    const problem = `'${this.#phase}' uses ctx.${verb}, and only 'client' can ask: use it there`;
    throw new ToolCodeError({ toolName: this.toolName, problem });
  }

  #verbs(verb: string): SamplingVerbs {
    this.#inClient(verb);
    this.#sampling ??= this.#createSampling();
    return this.#sampling;
  }

  /** A verb whose operations are remembered. */
  #noted<V extends Verb>(name: string, verb: V): V {
    return ((...args: never[]) => this.#unfinished.note(`ctx.${name}`, verb(...args))) as V;
  }

  #createSampling(): SamplingVerbs {
    const verbs = this.#plainSampling();
    return {
      sample: this.#noted('sample', verbs.sample),
      sampleSchema: this.#noted('sampleSchema', verbs.sampleSchema),
      sampleTools: this.#noted('sampleTools', verbs.sampleTools),
    };
  }

  #plainSampling(): SamplingVerbs {
    const call = this.#call;
    const frame = this.#frame;
    return createSampling({
      toolName: call.toolName,
      sampleOnce: (request, key, said) =>
        withSamplingSteps(call.plugin?.server.sampling ?? {}, this, (prepared) =>
          askModel(call, frame, prepared, key, said),
        )(request),
      capabilities: () => this.capabilities,
      history: () => frame.messages,
      remember: (request, response) => frame.remember(historyMessage(request), historyMessage(response)),
      systemPrompt: () => frame.inheritedPrompt,
    });
  }
}
