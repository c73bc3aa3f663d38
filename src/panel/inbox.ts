import { action, type Operation } from 'effection';
import { ViewError } from '../core/errors/call-errors.ts';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import { defined } from '../core/schema/defined.ts';
import type { ElicitAnswer } from '../core/tool/ask.ts';
import {
  answerForm,
  cancel,
  decline,
  type PageAnswer,
  refused,
  submitParams,
  type ToPage,
  targetOf,
  viewCrashed,
  viewResponse,
} from '../panel-port/index.ts';

/** What the person does with an open question, apart from answering in a view. */
export type QuestionReply = ElicitAnswer;

/** Where what a page sends meets what the host waits for. Everything else is refused, and the page is told. */
export interface Inbox {
  receive(message: PageAnswer): void;
  /** Waits for the form's answer to this attempt, or for Decline or Cancel. */
  question(id: string, attempt: number): Operation<QuestionReply>;
  /** Waits for `onRespond` of this rendering. @throws `ViewError` when the view crashes. */
  view(renderId: string, name: string): Operation<JsonValue>;
  /** Waits for the parameters. */
  parameters(formId: string): Operation<JsonObject>;
  /** Answers an attempt at a question from outside of the page; nothing happens when that one is not open. */
  give(question: { readonly id: string; readonly attempt: number }, reply: QuestionReply): void;
}

/** What an {@link Inbox} needs. */
export interface InboxOptions {
  post(message: ToPage): void;
  /** For the log: something came for which nobody waits. */
  onDead(message: PageAnswer, why: string): void;
}

/** What an answer comes to: a value, an error, or why it does not count and the wait goes on. */
type Verdict<T> = { readonly value: T } | { readonly error: Error } | { readonly refused: string };

/** An inbox that waits for nothing yet. */
export function createInbox({ post, onDead }: InboxOptions): Inbox {
  // By what the answers are for; returns why one does not count.
  const waiting = new Map<string, (message: PageAnswer) => string | undefined>();

  /** Waits for an answer to `target` that counts: the first one does, and from then on nobody waits. */
  const answerTo = <T>(target: string, judge: (message: PageAnswer) => Verdict<T>): Operation<T> =>
    action((resolve, reject) => {
      const take = (message: PageAnswer): string | undefined => {
        const verdict = judge(message);
        if ('refused' in verdict) return verdict.refused;
        free();
        if ('value' in verdict) resolve(verdict.value);
        else reject(verdict.error);
        return undefined;
      };
      const free = (): void => {
        if (waiting.get(target) === take) waiting.delete(target);
      };
      waiting.set(target, take);
      return free;
    });

  return {
    receive(message) {
      const target = targetOf(message);
      const take = waiting.get(target);
      const why = take ? take(message) : closedText(message);
      if (why === undefined) return;
      onDead(message, why);
      // A view that is only shown cannot be told what to do instead.
      if (!viewCrashed.is(message)) post(refused({ target, message: why }));
    },
    question: (id, attempt) =>
      answerTo<QuestionReply>(id, (message) => {
        if (decline.is(message)) return { value: { action: 'decline', answeredBy: 'person' } };
        if (cancel.is(message)) return { value: { action: 'cancel', answeredBy: 'person' } };
        if (!answerForm.is(message)) return { refused: closedText(message) };
        return message.body.attempt === attempt
          ? { value: { action: 'accept', content: message.body.content, answeredBy: 'person' } }
          : { refused: 'This question has been asked again meanwhile.' };
      }),
    view: (renderId, name) =>
      answerTo<JsonValue>(renderId, (message) => {
        if (viewResponse.is(message)) return { value: message.body.value };
        if (viewCrashed.is(message)) return { error: crashOf(name, message.body.error) };
        return { refused: closedText(message) };
      }),
    parameters: (formId) =>
      answerTo<JsonObject>(formId, (message) =>
        submitParams.is(message) ? { value: message.body.values } : { refused: closedText(message) },
      ),
    give({ id: questionId, attempt }, reply) {
      const take = waiting.get(questionId);
      if (reply.action === 'accept') take?.(answerForm({ questionId, attempt, content: reply.content }));
      else take?.((reply.action === 'decline' ? decline : cancel)({ questionId }));
    },
  };
}

/** Why a message comes too late, for its sender. */
function closedText(message: PageAnswer): string {
  if (submitParams.is(message)) return 'This form is closed.';
  if (viewCrashed.is(message)) return `The view of a closed question crashed: ${message.body.error.message}`;
  return 'This question is closed: it was answered, or the tool withdrew it.';
}

function crashOf(name: string, error: { name: string; message: string; stack?: string | undefined }): Error {
  const cause = Object.assign(new Error(error.message), {
    name: error.name,
    ...defined({ stack: error.stack }),
  });
  return new ViewError(`the view '${name}' crashed: ${error.message}`, { cause });
}
