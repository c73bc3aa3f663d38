import { type Operation, race, scoped, spawn } from 'effection';
import { isParleyError, toError } from '../core/errors/errors.ts';
import type { ElicitAnswer } from '../core/tool/ask.ts';
import { runHandler } from '../runtime/context/run-handler.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import type { AskIo } from '../runtime/session/client.ts';
import { bodyOf } from './model/questions.ts';
import { type AskSurface, createViewPort } from './view-port.ts';

/** What answering needs of a call. */
export interface AnsweringOptions {
  readonly panel: AskSurface;
  readonly title: string;
  readonly log: { error(message: string, cause?: unknown): void };
  /** A question as the panel shows it; as it is asked when absent. */
  shown?(ask: ElicitAsk): ElicitAsk;
  /** What the person reads when the form stands in for a handler that failed. */
  readonly gaveWay: string;
  /** Opens a page in the browser; false when it was not opened. */
  openPage(url: string): Operation<boolean>;
  /** A question has opened: the person should notice. */
  asked(): void;
}

/** How a handler did so far with one question. */
interface HandlerRecord {
  failures: number;
  /** It answered the last attempt; when that is asked again, the answer did not fit. */
  answered: boolean;
}

/** A handler that fails twice gives way to the schema form. */
const maxFailures = 2;

/** The verb that answers questions in a panel. */
export type Answering = (ask: ElicitAsk, io: AskIo) => Operation<ElicitAnswer<unknown>>;

/**
 * Answers the questions of one call in its panel: by the handler that the plugin has for it, else by the schema form.
 * Decline and Cancel, which the panel offers, halt the handler and answer for it. Closing the panel answers nothing.
 */
export function createAnswering(options: AnsweringOptions): Answering {
  const { store, inbox } = options.panel;
  const records = new Map<string, HandlerRecord>();

  /** The handler's answer; nothing when it has failed too often. */
  function* handle(
    ask: ElicitAsk,
    io: AskIo,
    record: HandlerRecord,
  ): Operation<ElicitAnswer<unknown> | undefined> {
    if (record.answered) record.failures += 1;
    record.answered = false;
    while (record.failures < maxFailures) {
      store.dispatch({ type: 'body', askId: ask.id, body: { kind: 'busy' } });
      try {
        const port = createViewPort(options.panel, ask.id);
        let isSeen = false;
        function* render(...view: Parameters<typeof port.render>): Operation<unknown> {
          const response = yield* port.render(...view);
          isSeen = true;
          return response;
        }
        const answer = yield* scoped(() => runHandler(io.session, ask, { ...port, render }));
        record.answered = true;
        // A handler that shows nothing is code.
        return { ...answer, answeredBy: isSeen ? 'person' : 'client' };
      } catch (thrown) {
        const error = toError(thrown);
        // A view that crashed would crash again.
        record.failures += isParleyError(error, 'VIEW') ? maxFailures : 1;
        const next = record.failures < maxFailures ? 'It runs once more.' : 'The form takes its place.';
        options.log.error(`${options.title}: the handler of “${ask.ref.key}” failed. ${next}`, error);
      }
    }
    return undefined;
  }

  /** Agreed to, a page is opened. A page that cannot be opened is no refusal: the tool gets an error. */
  function* opened(url: string, answer: ElicitAnswer<unknown>): Operation<ElicitAnswer<unknown>> {
    if (answer.action !== 'accept') return answer;
    if (yield* options.openPage(url)) return answer;
    return { action: 'cancel' };
  }

  return function* (ask, io) {
    const record = records.get(ask.id) ?? { failures: 0, answered: false };
    records.set(ask.id, record);
    const plugin = io.session.realm(ask)?.plugin;
    const handled = ask.declared && plugin?.client.handlers[ask.ref.key] !== undefined;
    const reply = yield* spawn(() => inbox.question(ask.id, ask.attempt));
    options.asked();
    if (handled) {
      const answer = yield* race([reply, handle(ask, io, record)]);
      if (answer) return answer;
    }
    const notice = handled ? options.gaveWay : undefined;
    store.dispatch({ type: 'body', askId: ask.id, body: bodyOf(options.shown?.(ask) ?? ask), notice });
    const answer = yield* reply;
    return ask.request.mode === 'url' ? yield* opened(ask.request.url, answer) : answer;
  };
}
