import {
  createScope,
  Err,
  ensure,
  Ok,
  type Operation,
  type Result,
  type Scope,
  scoped,
  suspend,
  type Task,
  until,
} from 'effection';
import { errorData } from '../../core/errors/error-data.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { begin } from '../../runtime/call/begin.ts';
import { runHandler } from '../../runtime/context/run-handler.ts';
import { runTool } from '../../runtime/context/run-tool.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import { FaultsContext, type ReportFault } from '../../runtime/session/faults.ts';
import { Timers } from '../../runtime/time/timers.ts';
import type { Link } from '../transport/link.ts';
import { decode, encode } from '../wire/codec.ts';
import { type Order, type OrderOf, order } from '../wire/orders.ts';
import type { Report } from '../wire/reports.ts';
import { Borrowed } from './borrowed.ts';
import { useBorrowedEditor } from './borrowed-editor.ts';
import { type LoadedTool, loadTools } from './loaded-tools.ts';
import { ParsedParams } from './parsed-params.ts';
import { ServedCall } from './served-call.ts';
import { ServedViews } from './served-views.ts';

/** The orders that are for a call that runs. */
type CallOrder = OrderOf<
  'capabilities' | 'synced' | 'check' | 'settle' | 'fail' | 'pause' | 'lent' | 'refused' | 'halt'
>;

interface Running {
  readonly call: ServedCall;
  readonly borrowed: Borrowed;
  readonly task: Task<unknown>;
}

interface Handling {
  readonly views: ServedViews;
  task: Task<unknown> | undefined;
}

/** The end of a line that has the tools: carries out orders. */
export class ServedRealm {
  readonly #scope: Scope;
  readonly #time: Timers;
  readonly #report: (report: Report) => void;
  readonly #params: ParsedParams;
  readonly #calls = new Map<number, Running>();
  readonly #handlings = new Map<number, Handling>();
  #tools: readonly LoadedTool[] = [];

  constructor(scope: Scope, report: (report: Report) => void) {
    this.#scope = scope;
    this.#time = new Timers(scope, scope.expect(ClockContext));
    this.#report = report;
    this.#params = new ParsedParams(report);
  }

  obey(order: Order): void {
    switch (order.type) {
      case 'load':
        this.#load(order);
        break;
      case 'parse':
        this.#params.parse(order, this.#tools[order.tool]?.tool);
        break;
      case 'start':
        this.#start(order);
        break;
      case 'ping':
        this.#report({ type: 'pong' });
        break;
      case 'handle':
        this.#handle(order);
        break;
      case 'unhandle':
        this.#unhandle(order.handling);
        break;
      case 'viewAnswered':
        this.#handlings.get(order.handling)?.views.answered(order.view, order.value);
        break;
      case 'viewFailed':
        this.#handlings.get(order.handling)?.views.failed(order.view, order.error);
        break;
      default:
        this.#tell(order);
    }
  }

  #load(order: OrderOf<'load'>): void {
    this.#scope
      .run(() => loadTools(order, this.#report))
      .then(
        (tools) => {
          this.#tools = tools;
          this.#report({ type: 'ready' });
        },
        (error: unknown) => this.#diagnose(undefined, 'the tools could not be loaded', error),
      );
  }

  /** Orders for a call that runs. One that has ended meanwhile hears nothing. */
  #tell(order: CallOrder): void {
    const running = this.#calls.get(order.call);
    if (!running) return;
    const { call, borrowed, task } = running;
    switch (order.type) {
      case 'capabilities':
        call.setCapabilities(order.capabilities);
        break;
      case 'synced':
        call.synced();
        break;
      case 'check':
        call.asks.check(order.ask, order.check, order.content);
        break;
      case 'settle':
        call.asks.settle(order.ask, order.id, order.answer);
        break;
      case 'fail':
        call.asks.fail(order.ask, order.error);
        break;
      case 'pause':
        call.asks.pause(order.ask, order.paused);
        break;
      case 'lent':
        borrowed.lent(order.loan, order.value);
        break;
      case 'refused':
        borrowed.refused(order.loan, order.error);
        break;
      case 'halt':
        call.end();
        task.halt().catch((error: unknown) => this.#diagnose(order.call, 'cleanup failed', error));
    }
  }

  #start(order: OrderOf<'start'>): void {
    const { call: number } = order;
    const loaded = this.#tools[order.tool];
    if (!loaded) throw new Error(`there is no tool ${order.tool}`);
    const call = new ServedCall({ ...loaded, start: order, time: this.#time, report: this.#report });
    const borrowed = new Borrowed(number, this.#report);
    const diagnose: ReportFault = ({ message, cause }) => this.#diagnose(number, message, cause);
    const params = this.#params;
    const task = this.#scope.run(function* () {
      yield* FaultsContext.set(diagnose);
      yield* useBorrowedEditor(borrowed, order.abilities);
      call.params = yield* params.take(order, loaded.tool);
      // As in the realm of the session: what a tool throws before its first effect is not a task's to wrap.
      const begun = begin(() => runTool(call));
      return begun.done ? begun.result : Ok(yield* begun.rest);
    });
    this.#calls.set(number, { call, borrowed, task });
    const rest = (ended: Report) => {
      this.#calls.delete(number);
      const halted = call.over;
      call.end();
      this.#report(halted ? { type: 'rested', call: number } : ended);
    };
    task.then(
      (result) => rest(endOf(number, result)),
      (error: unknown) => rest(endOf(number, Err(error as Error))),
    );
  }

  #handle({ call, ask, handling, elicit }: OrderOf<'handle'>): void {
    const of = this.#calls.get(call);
    const views = new ServedViews(handling, this.#report);
    const report = (sent: Report) => {
      if (this.#handlings.delete(handling)) this.#report(sent);
    };
    const running: Handling = { views, task: undefined };
    this.#handlings.set(handling, running);
    running.task = this.#scope.run(function* () {
      try {
        const answer = yield* scoped(function* () {
          if (of) yield* useBorrowedEditor(of.borrowed, of.call.abilities);
          return yield* runHandler({ realm: () => of?.call.asks.realm(ask) }, elicit, views);
        });
        const json = toJson(answer);
        if (!json.ok) throw new Error(`the handler's answer is not JSON: ${json.problem}`);
        report({ type: 'handled', handling, answer: json.value as never });
      } catch (error) {
        report({ type: 'unhandled', handling, error: errorData(error) });
      }
    });
    running.task.catch(() => this.#handlings.delete(handling));
  }

  #unhandle(handling: number): void {
    const { task } = this.#handlings.get(handling) ?? {};
    this.#handlings.delete(handling);
    task?.halt().catch((error: unknown) => this.#diagnose(undefined, 'a handler failed to stop', error));
  }

  #diagnose(call: number | undefined, message: string, cause: unknown): void {
    this.#report({
      type: 'diagnostic',
      message,
      ...defined({ call }),
      ...(cause === undefined ? {} : { error: errorData(cause) }),
    });
  }
}

/** How a call has ended. */
function endOf(call: number, result: Result<JsonValue | undefined>): Report {
  if (!result.ok) return { type: 'error', call, error: errorData(result.error) };
  const { value } = result;
  return { type: 'result', call, ...defined({ value }) };
}

/** Serves the tools of this realm over a line, for as long as the caller lives. */
export function* serveRealm(link: Link): Operation<void> {
  const report = (sent: Report) => link.send(encode(sent));
  // A root scope: a failing call must not take its siblings down.
  const [scope, destroy] = createScope();
  yield* ensure(() => until(destroy()));
  const realm = new ServedRealm(scope, report);
  link.listen((text) => {
    const read = decode(order, text);
    try {
      if (!read.ok) throw new Error(read.problem);
      realm.obey(read.message);
    } catch (error) {
      report({ type: 'diagnostic', message: 'an order was not carried out', error: errorData(error) });
    }
  });
  yield* suspend();
}
