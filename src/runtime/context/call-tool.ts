import type { Operation } from 'effection';
import {
  CallDepthError,
  CallEndedError,
  McpCapabilityError,
  ToolNotFoundError,
} from '../../core/errors/call-errors.ts';
import { ToolCodeError } from '../../core/errors/definition-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { isPlugin, isTool } from '../../core/plugin/guards.ts';
import { type Offer, pluginOf, toolOf } from '../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities, ToolContext } from '../../core/tool/context.ts';
import type { AnyTool, ToolRequirements } from '../../core/tool/tool.ts';
import { behindContext, standBehind } from '../call/behind-context.ts';
import { Frame } from '../call/frame.ts';
import type { AskGate, ToolSide, Undo } from '../call/tool-side.ts';
import type { StepGate } from '../journal/step-gate.ts';
import type { AskSubject } from '../session/ask-subject.ts';
import { missingCapability } from '../session/capabilities.ts';
import type { ToolReport } from '../session/events.ts';
import type { AskDraft, SettledAsk } from '../session/open-ask.ts';
import type { MachineClock, TimeSource } from '../time/machine-clock.ts';
import { budgetWithin, runLevel } from './branch.ts';
import { checkedParams } from './checked-params.ts';
import { madeOnce } from './made-once.ts';
import { type ToolDirectory, ToolDirectoryContext } from './tool-directory.ts';

/** Runs the code of a tool: handed in, for what runs a tool makes contexts, and a context calls tools. */
export type RunInner = (
  call: ToolSide,
  made?: (ctx: ToolContext) => void,
) => Operation<JsonValue | undefined>;

/** Tools that call each other more deeply than this do it by mistake. */
const MAX_PATH = 16;

/** `ctx.call` of one level of a call. `ctx` is the context that it belongs to. */
export function createCallTool(call: ToolSide, frame: Frame, ctx: object, run: RunInner) {
  // The tools of a call stay the same: to look for them is a step of the event loop's each time.
  let directory: { readonly of: ToolDirectory | undefined } | undefined;
  return function* callTool(target: unknown, params: unknown): Operation<JsonValue | undefined> {
    if (call.over || frame.closed) throw new CallEndedError({ verb: 'call' });
    if (typeof target !== 'string' && !isTool(target) && !isPlugin(target)) {
      throw new ToolCodeError({
        toolName: call.toolName,
        problem:
          'ctx.call was given what is no tool, no plugin and no name: end a tool with .execute() or .handoff(), a plugin with .build()',
      });
    }
    directory ??= { of: yield* ToolDirectoryContext.get() };
    const given = params ?? {};
    const offer = found(target, directory.of, behindContext(ctx)?.call.principal ?? '');
    if (!offer) return yield* recalled(call, frame, String(target), given);
    const tool = toolOf(offer);
    const path = [...(call instanceof InnerCall ? call.path : []), tool.name];
    if (path.length > MAX_PATH) throw new CallDepthError({ path });
    requireFor(tool.name, tool.def.requires, call.capabilities());
    const parsed = yield* checkedParams(tool, given);
    const { limits } = tool.def;
    const inner = new InnerCall(call, frame, offer, parsed, path);
    const lend = (made: ToolContext) => {
      const behind = behindContext(ctx);
      if (behind) standBehind(made, { ...behind, frame: inner.root, params: inner.params, path });
    };
    const make = () => runLevel(call, inner.root, () => run(inner, lend), limits, `'${tool.name}'`);
    if (!tool.def.foreign) return yield* make();
    const name = typeof target === 'string' ? target : tool.name;
    const made = { name, tool, params: given, root: inner.root, session: behindContext(ctx)?.call };
    return yield* madeOnce(call, made, make);
  };
}

function found(target: unknown, directory: ToolDirectory | undefined, principal: string): Offer | undefined {
  if (typeof target !== 'string') {
    const given = target as Offer;
    return directory?.(toolOf(given).name, given, principal) ?? given;
  }
  return directory?.(target, undefined, principal);
}

/** What is known of a call of a tool that is not here (any more): a server may not be connected yet when a call is taken up. */
function* recalled(
  call: ToolSide,
  frame: Frame,
  name: string,
  params: unknown,
): Operation<JsonValue | undefined> {
  if (!call.steps.recalls(name)) throw new ToolNotFoundError({ name });
  const root = new Frame({ parent: frame, sameDepth: true, maxDepth: frame.maxDepth });
  try {
    return yield* madeOnce(call, { name, params, root }, function* () {
      throw new ToolNotFoundError({ name });
    });
  } finally {
    root.close();
  }
}

function requireFor(name: string, required: ToolRequirements, has: ClientCapabilities | undefined): void {
  const missing = has && missingCapability(required, has);
  if (missing) throw new McpCapabilityError({ toolName: name, capability: missing });
}

/** Where the questions of a called tool go. Its own must not meet; those of other tools of the call take turns with them. */
class InnerAsks implements AskGate {
  readonly #outer: AskGate;
  readonly #path: readonly string[];
  readonly #inPlace: (subject: AskSubject) => AskSubject;
  #asking: string | undefined;

  constructor(outer: AskGate, path: readonly string[], inPlace: (subject: AskSubject) => AskSubject) {
    this.#outer = outer;
    this.#path = path;
    this.#inPlace = inPlace;
  }

  *ask(draft: AskDraft): Operation<SettledAsk> {
    const subject = this.#inPlace(draft.subject);
    const elicits = subject.kind === 'elicit';
    if (elicits) this.#asking = draft.key ?? 'elicit';
    try {
      return yield* this.#outer.ask({ path: this.#path, ...draft, subject });
    } finally {
      if (elicits) this.#asking = undefined;
    }
  }

  pendingKey(): string | undefined {
    return this.#asking;
  }
}

/** A call inside a call, as its tool knows it. All that goes out goes out as the outer call's. */
class InnerCall implements ToolSide {
  readonly id: string;
  readonly toolName: string;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  readonly params: unknown;
  handoff: unknown;
  readonly root: Frame;
  #asks: AskGate | undefined;
  /** The tools from the outermost call down to this one, without the outermost. */
  readonly path: readonly string[];
  readonly #outer: ToolSide;

  constructor(outer: ToolSide, frame: Frame, offer: Offer, params: unknown, path: readonly string[]) {
    this.#outer = outer;
    this.id = outer.id;
    this.tool = toolOf(offer);
    this.toolName = this.tool.name;
    this.plugin = pluginOf(offer);
    this.params = params;
    this.path = path;
    const { maxDepth = Number.POSITIVE_INFINITY, maxTokens } = this.tool.def.limits;
    this.root = new Frame({
      parent: frame,
      sameDepth: true,
      maxDepth: Math.min(frame.maxDepth, frame.depth + maxDepth),
      tokens: budgetWithin(frame, maxTokens),
    });
  }

  get asks(): AskGate {
    this.#asks ??= new InnerAsks(this.#outer.asks, this.path, (subject) => this.#inPlace(subject));
    return this.#asks;
  }

  /** Who may answer is for the tool that asks to say, not for the one that called it. */
  #inPlace(subject: AskSubject): AskSubject {
    return subject.kind === 'elicit' && this.tool.def.requires.editor
      ? { ...subject, inEditor: true }
      : subject;
  }

  get over(): boolean {
    return this.#outer.over || this.root.closed;
  }

  get steps(): StepGate {
    return this.#outer.steps;
  }

  get undos(): Map<string, Undo> {
    return this.#outer.undos;
  }

  /** What `before` hands on is kept for the outermost call alone; here it runs again, and what it asks is answered. */
  earlierHandoff(): undefined {}

  *keepHandoff(): Operation<void> {}

  hold(clock: MachineClock): void {
    this.#outer.hold(clock);
  }

  get time(): TimeSource {
    return this.#outer.time;
  }

  capabilities(): ClientCapabilities | undefined {
    return this.#outer.capabilities();
  }

  require(requirements: ToolRequirements): void {
    requireFor(this.toolName, requirements, this.capabilities());
  }

  emit(happening: ToolReport): void {
    this.#outer.emit(happening);
  }

  breathe(): Operation<void> {
    return this.#outer.breathe();
  }
}
