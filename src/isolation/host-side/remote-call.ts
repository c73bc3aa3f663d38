import { ensure, type Operation, scoped, useScope, withResolvers } from 'effection';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import type { IsolatedTool } from '../../core/errors/isolation-errors.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { BehindContext } from '../../runtime/call/behind-context.ts';
import type { CallReport, Connection } from './connection.ts';
import { type Lender, Loans, useLender } from './loans.ts';
import { RemoteAsks } from './remote-asks.ts';

/** One call of a tool that is in another realm. */
export interface RemoteCallOptions {
  readonly connection: Connection;
  readonly behind: BehindContext;
  readonly tool: IsolatedTool;
  readonly plugin: AnyPlugin | undefined;
  /** The number of the tool in its realm. */
  readonly index: number;
  /** Names the parameters as they were parsed there; `params` are those that were given. */
  readonly parse: number;
  readonly params: unknown;
  nextSerial(): number;
}

/**
 * Runs a tool that is in another realm, as a part of the session here. Halting it runs the cleanup there.
 *
 * @throws what the tool throws; `ToolStuckError` and `ToolCrashedError` when its realm has ended.
 */
export function* runRemoteCall(options: RemoteCallOptions): Operation<JsonValue | undefined> {
  const lender = yield* useLender();
  const loans = new Loans(yield* useScope(), lender, (order) => options.connection.send(order));
  return yield* scoped(function* () {
    const call = new RemoteCall(options, loans);
    yield* ensure(() => call.rest());
    call.start(lender);
    return yield* call.outcome;
  });
}

class RemoteCall {
  readonly #options: RemoteCallOptions;
  readonly #call: number;
  readonly #asks: RemoteAsks;
  readonly #loans: Loans;
  readonly #outcome = withResolvers<JsonValue | undefined>('result of a remote call');
  readonly #rested = withResolvers<void>('cleanup of a remote call');
  #over = false;
  #stop: (() => void)[] = [];

  constructor(options: RemoteCallOptions, loans: Loans) {
    this.#options = options;
    this.#call = options.nextSerial();
    this.#asks = new RemoteAsks({ ...options, call: this.#call });
    this.#loans = loans;
  }

  get outcome(): Operation<JsonValue | undefined> {
    return this.#outcome.operation;
  }

  start(lender: Lender): void {
    const { connection, behind, tool, index, parse, params } = this.#options;
    const { call, frame } = behind;
    const capabilities = () => {
      const has = call.capabilities();
      return has === undefined ? {} : { capabilities: has };
    };
    this.#stop = [
      connection.listenToCall(this.#call, {
        take: (report) => this.#take(report),
        ended: (why) => this.#ended(() => this.#outcome.reject(why(tool))),
      }),
      call.watchAttached(() =>
        connection.send({ type: 'capabilities', call: this.#call, ...capabilities() }),
      ),
    ];
    const { maxDepth, tokens } = frame;
    connection.send({
      type: 'start',
      call: this.#call,
      tool: index,
      parse,
      ...(params === undefined ? {} : { params: params as JsonValue }),
      callId: call.id,
      toolName: tool.toolName,
      ...capabilities(),
      ...(Number.isFinite(maxDepth) ? { maxDepth } : {}),
      ...(tokens === undefined ? {} : { maxTokens: Math.max(0, tokens.allowed - tokens.used) }),
      messages: frame.messages as unknown as JsonObject[],
      parentMessages: frame.parentMessages as unknown as JsonObject[],
      abilities: [...lender.names],
    });
  }

  /** Ends the call there, if it has not ended, and waits until its code has come to rest. */
  *rest(): Operation<void> {
    if (!this.#over) {
      const { connection } = this.#options;
      connection.send({ type: 'halt', call: this.#call });
      this.#stop.push(
        connection.watch.demand((alive, grace) => {
          // Cleanup that takes its time is the session's to report; one that lets nobody else have a turn is ended.
          if (alive) connection.retire();
          else connection.endStuck(grace);
        }),
      );
      yield* this.#rested.operation;
    }
    for (const stop of this.#stop) stop();
  }

  #take(report: CallReport): void {
    const { behind, connection } = this.#options;
    switch (report.type) {
      case 'log':
      case 'progress': {
        const { call: _, ...happening } = report;
        if (!behind.call.over) behind.call.emit(happening as Parameters<typeof behind.call.emit>[0]);
        return;
      }
      case 'sync':
        connection.send({ type: 'synced', call: this.#call });
        break;
      case 'open':
        this.#asks.open(report);
        break;
      case 'withdraw':
        this.#asks.withdraw(report.ask);
        break;
      case 'verdict':
        this.#asks.conclude(report);
        break;
      case 'borrow':
        this.#loans.borrow(report);
        break;
      case 'giveBack':
        this.#loans.giveBack(report.loan);
        break;
      case 'result':
        this.#ended(() => this.#outcome.resolve(report.value));
        break;
      case 'error':
        this.#ended(() => this.#outcome.reject(errorFromData(report.error)));
        break;
      case 'rested':
        this.#ended(() => {});
        break;
    }
  }

  #ended(tell: () => void): void {
    if (this.#over) return;
    this.#over = true;
    tell();
    this.#rested.resolve();
  }
}
