import type { Operation } from 'effection';
import { McpCapabilityError } from '../../core/errors/call-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities, MadeBy } from '../../core/tool/context.ts';
import type { AnyTool, ToolRequirements } from '../../core/tool/tool.ts';
import type { StepGate } from '../journal/step-gate.ts';
import type { AskSubject } from '../session/ask-subject.ts';
import { missingCapability } from '../session/capabilities.ts';
import type { ToolReport } from '../session/events.ts';
import type { AskDraft, SettledAsk } from '../session/open-ask.ts';
import type { MachineClock, TimeSource } from '../time/machine-clock.ts';
import type { Frame } from './frame.ts';

/** Where a tool's questions go. */
export interface AskGate {
  /** Opens an ask and waits for what comes of it. Halting it withdraws it at once. */
  ask(draft: AskDraft): Operation<SettledAsk>;
  /** The key of the one open elicitation. */
  pendingKey(): string | undefined;
}

/** A tool of one name, as it is after a change of its file. */
export interface ToolVersion {
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
}

/** Takes a step back, given its result. */
export type Undo = (result: JsonValue | undefined) => Operation<void>;

/**
 * A call as all tools in it know it: where what they do goes. In the realm that holds the session it is the call itself; in a worker it
 * is the end of a line to that.
 */
export interface CallGate {
  readonly id: string;
  readonly asks: AskGate;
  readonly steps: StepGate;
  /** What takes back the steps of its code, by their ids. */
  readonly undos: Map<string, Undo>;
  /** Whether the call has ended; cleanup may still run. */
  readonly over: boolean;
  readonly time: TimeSource;
  /** What `before` of a durable tool handed on when the call was made, if it is known. */
  earlierHandoff(): { readonly value: JsonValue | undefined } | undefined;
  /** Writes down what `before` handed on; ends when that is durable. */
  keepHandoff(value: JsonValue | undefined): Operation<void>;
  /** While the call is taken to where it was, the clock of a branch stands still. */
  hold(clock: MachineClock): void;
  capabilities(): ClientCapabilities | undefined;
  /** Who made it. */
  readonly madeBy: MadeBy;
  /** Whether who drives it now may be able to do less than those who began it. */
  readonly resumed?: boolean;
  emit(report: ToolReport): void;
  /** Lets everybody else have a turn of the event loop now and then; after every log and report. */
  breathe(): Operation<void>;
}

/** A step that has had its effect. */
export interface DoneStep {
  readonly name: string;
  /** Takes it back; absent where its author says of none. */
  readonly undo?: () => unknown;
}

/** The tool that has called another one, and the tools on the way from the call to that, without the call's own. */
interface ToolCaller {
  readonly side: ToolSide;
  readonly path: readonly string[];
}

/** A tool in a call, which its context talks to: the call's own tool, or one that another tool of the call has called. */
export class ToolSide implements ToolVersion {
  readonly gate: CallGate;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  /** Parsed. */
  params: unknown;
  /** Its level 0. */
  readonly root: Frame;
  /** What `before` handed on. */
  handoff: unknown;
  /** What its code threw; cleanup that comes after may throw something else. */
  thrown: Error | undefined;
  /** What a rollback undoes, in order. */
  done: DoneStep[] = [];
  readonly #caller: ToolCaller | undefined;
  #asking: string | undefined;

  constructor(
    gate: CallGate,
    { tool, plugin }: ToolVersion,
    params: unknown,
    root: Frame,
    caller?: ToolCaller,
  ) {
    this.gate = gate;
    this.tool = tool;
    this.plugin = plugin;
    this.params = params;
    this.root = root;
    this.#caller = caller;
  }

  get id(): string {
    return this.gate.id;
  }

  get toolName(): string {
    return this.tool.name;
  }

  /** The tools on the way from the call to this one, which is the last; absent for the call's own. */
  get path(): readonly string[] | undefined {
    return this.#caller?.path;
  }

  get over(): boolean {
    return this.gate.over || (this.#caller !== undefined && this.root.closed);
  }

  /** Opens an ask, as {@link AskGate.ask}. Those of a tool's own must not meet; those of other tools of the call take turns with them. */
  *ask(draft: AskDraft): Operation<SettledAsk> {
    if (!this.#caller) return yield* this.gate.asks.ask(draft);
    const { side, path } = this.#caller;
    const elicits = draft.subject.kind === 'elicit';
    if (elicits) this.#asking = draft.key ?? 'elicit';
    try {
      return yield* side.ask({ path, tool: this.tool, ...draft, subject: this.#inPlace(draft.subject) });
    } finally {
      if (elicits) this.#asking = undefined;
    }
  }

  /** The key of its one open elicitation. */
  pendingKey(): string | undefined {
    return this.#caller ? this.#asking : this.gate.asks.pendingKey();
  }

  /** @throws `McpCapabilityError` when nobody of this call can do what is required. */
  require(requirements: ToolRequirements): void {
    const has = this.gate.capabilities();
    if (this.gate.resumed && !this.#caller) requireFor(this.toolName, this.tool.def.requires, has);
    requireFor(this.toolName, requirements, has);
  }

  /** Who may answer is for the tool that asks to say, not for the one that called it. */
  #inPlace(subject: AskSubject): AskSubject {
    const inEditor = subject.kind === 'elicit' && this.tool.def.requires.editor;
    return inEditor ? { ...subject, inEditor: true } : subject;
  }
}

/** @throws `McpCapabilityError` when clients that have this lack what a tool requires. */
export function requireFor(
  toolName: string,
  required: ToolRequirements,
  has: ClientCapabilities | undefined,
): void {
  const missing = has && missingCapability(required, has);
  if (missing) throw new McpCapabilityError({ toolName, capability: missing });
}
