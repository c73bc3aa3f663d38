import type { Operation } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool, ToolRequirements } from '../../core/tool/tool.ts';
import type { StepGate } from '../journal/step-gate.ts';
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
 * A call as the tool's code knows it: what its context talks to. In the realm that holds the session it is the call
 * itself; in a worker it is the end of a port.
 */
export interface ToolSide extends ToolVersion {
  readonly id: string;
  readonly toolName: string;
  /** Parsed. */
  readonly params: unknown;
  /** What `before` handed on. */
  handoff: unknown;
  /** What its code threw; cleanup that comes after may throw something else. */
  thrown?: Error | undefined;
  /** Level 0 of the call. */
  readonly root: Frame;
  readonly asks: AskGate;
  /** Whether the call has ended; cleanup may still run. */
  readonly over: boolean;
  readonly time: TimeSource;
  readonly steps: StepGate;
  /** What takes back the steps of its code, by their ids. */
  readonly undos: Map<string, Undo>;
  /** What `before` of a durable tool handed on when the call was made, if it is known. */
  earlierHandoff(): { readonly value: JsonValue | undefined } | undefined;
  /** Writes down what `before` handed on; ends when that is durable. */
  keepHandoff(value: JsonValue | undefined): Operation<void>;
  /** While the call is taken to where it was, the clock of a branch stands still. */
  hold(clock: MachineClock): void;
  capabilities(): ClientCapabilities | undefined;
  /** @throws `McpCapabilityError` when nobody of this call can do what is required. */
  require(requirements: ToolRequirements): void;
  emit(happening: ToolReport): void;
  /** Lets everybody else have a turn of the event loop now and then; after every log and report. */
  breathe(): Operation<void>;
}
