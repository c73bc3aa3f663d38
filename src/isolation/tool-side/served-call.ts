import { type Operation, until } from 'effection';
import { type CapabilityName, McpCapabilityError } from '../../core/errors/call-errors.ts';
import type { Message } from '../../core/messages/content.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool, ToolRequirements } from '../../core/tool/tool.ts';
import { Frame } from '../../runtime/call/frame.ts';
import type { ToolSide, Undo } from '../../runtime/call/tool-side.ts';
import type { StepGate } from '../../runtime/journal/step-gate.ts';
import { UnkeptSteps } from '../../runtime/journal/unkept-steps.ts';
import { missingCapability } from '../../runtime/session/capabilities.ts';
import type { SessionHappening } from '../../runtime/session/events.ts';
import { eventLoopTurn } from '../../runtime/time/event-loop.ts';
import type { TimeSource } from '../../runtime/time/machine-clock.ts';
import type { OrderOf } from '../wire/orders.ts';
import type { Report } from '../wire/reports.ts';
import { ServedAsks } from './served-asks.ts';

/** What a served call is made of. */
export interface ServedCallOptions {
  readonly start: OrderOf<'start'>;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  readonly time: TimeSource;
  report(report: Report): void;
}

/** After so many logs and reports in a row, the other realm must have caught up. */
const REPORTS_A_TURN = 64;

/** The tool's side of a call whose session is in another realm. */
export class ServedCall implements ToolSide {
  readonly id: string;
  /** The number that both realms know it by. */
  readonly call: number;
  readonly toolName: string;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  /** What the editor lends. */
  readonly abilities: readonly string[];
  params: unknown;
  readonly root: Frame;
  readonly asks: ServedAsks;
  readonly time: TimeSource;
  readonly report: (report: Report) => void;
  readonly steps: StepGate;
  readonly undos = new Map<string, Undo>();
  handoff: unknown;
  over = false;

  #capabilities: ClientCapabilities | undefined;
  #reports = 0;
  #syncing: PromiseWithResolvers<void> | undefined;

  constructor({ start, tool, plugin, time, report }: ServedCallOptions) {
    this.id = start.callId;
    this.call = start.call;
    this.toolName = start.toolName;
    this.tool = tool;
    this.plugin = plugin;
    this.abilities = start.abilities;
    this.time = time;
    this.report = report;
    this.#capabilities = start.capabilities;
    const { maxDepth = Number.POSITIVE_INFINITY, maxTokens, messages, parentMessages } = start;
    this.root = new Frame({
      maxDepth,
      tokens: maxTokens === undefined ? undefined : { allowed: maxTokens, used: 0 },
      messages: messages as unknown as readonly Message[],
      parentMessages: parentMessages as unknown as readonly Message[],
    });
    this.asks = new ServedAsks(this);
    this.steps = new UnkeptSteps(time);
  }

  capabilities(): ClientCapabilities | undefined {
    return this.#capabilities;
  }

  keptHandoff(): undefined {}

  *keepHandoff(): Operation<void> {}

  hold(): void {}

  setCapabilities(capabilities: ClientCapabilities | undefined): void {
    this.#capabilities = capabilities;
  }

  require(requirements: ToolRequirements): void {
    const has = this.#capabilities;
    const missing: CapabilityName | undefined = has && missingCapability(requirements, has);
    if (missing) throw new McpCapabilityError(this.toolName, missing);
  }

  emit(happening: SessionHappening): void {
    if (happening.type !== 'log' && happening.type !== 'progress') return;
    this.report({ ...happening, call: this.call } as Report);
  }

  /** Waits now and then until the other realm has caught up: a tool cannot flood it, with however many branches. */
  *breathe(): Operation<void> {
    if (this.over) {
      if (++this.#reports % REPORTS_A_TURN === 0) yield* eventLoopTurn();
      return;
    }
    if (++this.#reports % REPORTS_A_TURN === 0 && !this.#syncing) {
      this.#syncing = Promise.withResolvers();
      this.report({ type: 'sync', call: this.call });
    }
    if (this.#syncing) yield* until(this.#syncing.promise);
  }

  synced(): void {
    this.#syncing?.resolve();
    this.#syncing = undefined;
  }

  /** Nothing new opens from here on. */
  end(): void {
    if (this.over) return;
    this.over = true;
    this.root.close();
    this.synced();
  }
}
