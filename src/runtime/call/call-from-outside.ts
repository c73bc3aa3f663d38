import { action, type Operation, resource } from 'effection';
import { AskNotFoundError } from '../../core/errors/session-errors.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { CallJournal } from '../journal/call-journal.ts';
import type { Journal } from '../journal/lines.ts';
import type { Answer, Ask, ElicitAsk } from '../session/ask.ts';
import type { Asks } from '../session/asks.ts';
import type { AttachedClients } from '../session/attached.ts';
import type { EventLog } from '../session/event-log.ts';
import type { EndEvent, SessionEvent } from '../session/events.ts';
import type {
  Answerer,
  Attached,
  ElicitRealm,
  RewindOptions,
  Session,
  SessionStatus,
} from '../session/session.ts';
import type { MachineClock } from '../time/machine-clock.ts';
import type { Runs } from './runs.ts';

/** A status that never changes again: the call is over. */
export type FinalStatus = Extract<SessionStatus, 'completed' | 'failed' | 'aborted'>;

/** A call as everybody outside sees it: its session, and nothing of how its code runs. */
export abstract class CallFromOutside implements Session {
  abstract readonly id: string;
  abstract readonly principal: string;
  abstract readonly tool: AnyTool;
  abstract readonly plugin: AnyPlugin | undefined;
  abstract readonly params: unknown;
  abstract readonly startedAt: number;
  abstract readonly history: CallJournal;
  abstract readonly asks: Asks;
  abstract readonly runs: Runs;
  protected abstract readonly log: EventLog;
  protected abstract readonly clients: AttachedClients;
  protected abstract readonly machine: MachineClock;
  protected abstract readonly final: FinalStatus | undefined;

  /** Calls back when all has happened that follows from what its code was given last. */
  abstract caughtUp(then: () => void): void;
  /** Ends it at once, as `abort` does, without waiting for its cleanup. */
  abstract kill(reason: string): void;

  get callId(): string {
    return this.id;
  }

  get conversation(): string {
    return this.history.header.conversation;
  }

  get toolName(): string {
    return this.tool.name;
  }

  /** Whether the status is final; cleanup may still run. */
  get over(): boolean {
    return this.final !== undefined;
  }

  /** Whether nobody is attached. */
  get unattended(): boolean {
    return this.clients.count === 0;
  }

  /** Whether it has open asks. */
  get waits(): boolean {
    if (this.history.replaying) return false;
    const { elicit, sample, roots } = this.asks.pending;
    return elicit + sample + roots > 0;
  }

  /** Waits until its code has come to rest, or is stuck. */
  rest(): Operation<'down' | 'stuck'> {
    return this.runs.wait();
  }

  isOpen(askId: string): boolean {
    return this.asks.find(askId) !== undefined;
  }

  attached(): ClientCapabilities | undefined {
    return this.clients?.capabilities();
  }

  /** What happened before it was taken up, as far as that was kept. */
  restoreEvents(events: readonly SessionEvent[]): void {
    this.log.restore(events);
  }

  journal(): Journal {
    return this.history.read();
  }

  rewinds(): number {
    return this.history.recorded.rewinds;
  }

  isAtWork(now: number): boolean {
    return this.history.isAtWork(now);
  }

  status(): SessionStatus {
    if (this.final) return this.final;
    if (this.history.replaying) return 'running';
    const { pending } = this.asks;
    if (pending.elicit > 0) return 'awaiting_elicit';
    return pending.sample > 0 ? 'awaiting_sample' : 'running';
  }

  openAsks(): readonly Ask[] {
    return this.asks.list();
  }

  awaitsAnswer(askId: string): boolean {
    return this.asks.awaitsAnswer(askId);
  }

  settled(): Operation<void> {
    return action<void>((resolve) => {
      let halted = false;
      this.caughtUp(() => halted || resolve());
      return () => {
        halted = true;
      };
    }, 'what follows');
  }

  ended(): EndEvent | undefined {
    return this.log.end;
  }

  events(after?: number): readonly SessionEvent[] {
    return this.log.after(after);
  }

  nextEvent(after: number): Operation<SessionEvent> {
    return this.log.next(after);
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.log.subscribe(listener);
  }

  attach(client: Answerer): Operation<Attached> {
    const attach = () => this.attachNow(client);
    return resource(function* (provide) {
      const held = attach();
      try {
        yield* provide(held);
      } finally {
        held.detach();
      }
    });
  }

  attachNow(client: Answerer): Attached {
    return this.clients.attach(client);
  }

  capabilities(): ClientCapabilities | undefined {
    return this.history.capabilities();
  }

  canAnswer(ask: Ask): boolean {
    return this.clients.canAnswer(ask);
  }

  elapsed(): number {
    return this.machine.elapsed();
  }

  respond(askId: string, answer: Answer, attempt?: number): Operation<void> {
    return this.asks.respond(askId, answer, attempt);
  }

  fail(askId: string, error: unknown): Operation<void> {
    return this.asks.fail(askId, error);
  }

  respondToElicit(askId: string, answer: ElicitAnswer<unknown>): Operation<void> {
    if (this.asks.find(askId) && this.asks.find(askId)?.ask.kind !== 'elicit') {
      throw new AskNotFoundError({ askId, callId: this.id });
    }
    return this.asks.respond(askId, answer);
  }

  pauseClock(askId: string): () => void {
    return this.asks.find(askId)?.pause() ?? (() => {});
  }

  realm(ask: ElicitAsk): ElicitRealm | undefined {
    return this.asks.realm(ask.id);
  }

  printOf(askId: string): string | undefined {
    return this.asks.find(askId)?.print;
  }

  rewind(askId: string, options?: RewindOptions): Operation<void> {
    return this.runs.rewind(askId, options);
  }

  *abort(reason = 'aborted'): Operation<void> {
    this.kill(reason);
    yield* this.runs.wait();
  }
}
