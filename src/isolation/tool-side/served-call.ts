import { type Operation, withResolvers } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { Frame } from '../../runtime/call/frame.ts';
import { type CallGate, ToolSide, type ToolVersion, type Undo } from '../../runtime/call/tool-side.ts';
import type { StepGate } from '../../runtime/journal/step-gate.ts';
import { extraReports, type ToolReport } from '../../runtime/session/events.ts';
import { eventLoopTurn } from '../../runtime/time/event-loop.ts';
import type { MachineClock, TimeSource } from '../../runtime/time/machine-clock.ts';
import type { CallStart } from '../wire/methods/realm-methods.ts';
import type { SessionPeer } from '../wire/peers.ts';
import { ServedAsks } from './served-asks.ts';
import { ServedSteps } from './served-steps.ts';

/** What a served call is made of. */
export interface ServedCallOptions {
  readonly start: CallStart;
  /** Parsed. */
  readonly params: unknown;
  readonly loaded: ToolVersion;
  readonly time: TimeSource;
  /** The session, within this call. */
  readonly session: SessionPeer;
  /** What takes back the steps of its code. */
  readonly undos: Map<string, Undo>;
}

/** After so many logs and reports in a row, the other realm must have caught up; after fewer long ones. */
const REPORTS_A_TURN = 64;

/** A call whose session is in another realm. */
export class ServedCall implements CallGate {
  readonly id: string;
  readonly side: ToolSide;
  readonly asks: ServedAsks;
  readonly time: TimeSource;
  readonly session: SessionPeer;
  readonly steps: StepGate;
  readonly undos: Map<string, Undo>;
  readonly madeBy: CallStart['madeBy'];
  over = false;

  #capabilities: ClientCapabilities | undefined;
  /** It is being taken to where it was: the clocks of its branches stand still. */
  #replays: boolean;
  readonly #held: MachineClock[] = [];
  readonly #kept: CallStart['handoff'];
  #reports = 0;
  #syncing: ReturnType<typeof withResolvers<void>> | undefined;

  constructor({ start, params, loaded, time, session, undos }: ServedCallOptions) {
    this.id = start.callId;
    this.time = time;
    this.madeBy = start.madeBy;
    this.session = session;
    this.#capabilities = start.capabilities;
    const { maxDepth = Number.POSITIVE_INFINITY, maxTokens, messages, parentMessages } = start;
    const root = new Frame({
      maxDepth,
      tokens: maxTokens === undefined ? undefined : { allowed: maxTokens, used: 0 },
      messages,
      parentMessages,
    });
    this.side = new ToolSide(this, loaded, params, root);
    this.asks = new ServedAsks(this);
    this.steps = new ServedSteps(session);
    this.undos = undos;
    this.#replays = start.replays;
    this.#kept = start.handoff;
    session.serve({
      capabilities: ({ capabilities, replays }) => {
        this.#capabilities = capabilities;
        this.#replays = replays;
        if (!replays) for (const clock of this.#held.splice(0)) clock.resume();
      },
    });
    session.onCancel(() => this.end());
  }

  earlierHandoff(): { readonly value: JsonValue | undefined } | undefined {
    return this.#kept && { value: this.#kept.value };
  }

  keepHandoff(value: JsonValue | undefined): Operation<void> {
    return this.session.call('keepHandoff', defined({ value }));
  }

  hold(clock: MachineClock): void {
    if (!this.#replays) return;
    clock.pause();
    this.#held.push(clock);
  }

  capabilities(): ClientCapabilities | undefined {
    return this.#capabilities;
  }

  emit(happening: ToolReport): void {
    this.#reports += extraReports(happening);
    this.session.tell('report', happening);
  }

  /** Waits now and then until the other realm has caught up: a tool cannot flood it, with however many branches. */
  *breathe(): Operation<void> {
    const isTurn = ++this.#reports >= REPORTS_A_TURN;
    if (isTurn) this.#reports = 0;
    if (this.over) {
      if (isTurn) yield* eventLoopTurn();
      return;
    }
    if (isTurn && !this.#syncing) {
      this.#syncing = withResolvers('the session to catch up');
      this.session.request('sync', undefined, () => this.#synced());
    }
    if (this.#syncing) yield* this.#syncing.operation;
  }

  /** Nothing new opens from here on. */
  end(): void {
    if (this.over) return;
    this.over = true;
    this.side.root.close();
    this.#synced();
  }

  #synced(): void {
    // Who waited goes on at once, and may have to wait for the next.
    const syncing = this.#syncing;
    this.#syncing = undefined;
    syncing?.resolve();
  }
}
