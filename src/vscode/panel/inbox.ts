import { action, type Operation } from 'effection';
import { ViewError } from '../../core/errors/call-errors.ts';
import type { FormContent } from '../../core/form/form-schema.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import {
  answerForm,
  cancel,
  decline,
  refused,
  submitParams,
  type ToHost,
  type ToPage,
  viewCrashed,
  viewResponse,
} from '../../panel-port/index.ts';

/** What the person does with an open question, apart from answering in a view. */
export type QuestionReply =
  | { readonly action: 'accept'; readonly content: FormContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Where what a page sends meets what the host waits for. Everything else is refused, and the page is told. */
export interface Inbox {
  /** Takes a message; `false` when it is not one that answers something. */
  receive(message: ToHost): boolean;
  /** Waits for the form's answer to this attempt, or for Decline or Cancel. */
  question(id: string, attempt: number): Operation<QuestionReply>;
  /** Waits for `onRespond` of this rendering. @throws `ViewError` when the view crashes. */
  view(renderId: string, name: string): Operation<JsonValue>;
  /** Waits for the parameters. */
  parameters(formId: string): Operation<JsonObject>;
  /** Cancels a question from outside of the page; nothing happens when that one is not open. */
  cancel(questionId: string): void;
  /** Calls back when a view crashes that nobody waits for. */
  onStrayCrash(listener: (crash: { renderId: string; error: Error }) => void): void;
}

/** What an {@link Inbox} needs. */
export interface InboxOptions {
  post(message: ToPage): void;
  /** For the log: something came for which nobody waits. */
  onDead(message: ToHost, why: string): void;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** An inbox that waits for nothing yet. */
export function createInbox({ post, onDead }: InboxOptions): Inbox {
  const questions = new Map<string, Waiting<QuestionReply> & { readonly attempt: number }>();
  const views = new Map<string, Waiting<JsonValue> & { readonly name: string }>();
  const forms = new Map<string, Waiting<JsonObject>>();
  let strayCrash = (_: { renderId: string; error: Error }): void => {};

  const refuse = (message: ToHost, target: string, why: string): true => {
    onDead(message, why);
    post(refused({ target, message: why }));
    return true;
  };
  const closed = 'This question is closed: it was answered, or the tool withdrew it.';

  const reply = (message: ToHost, id: string, answer: QuestionReply, attempt?: number): true => {
    const waiting = questions.get(id);
    if (!waiting) return refuse(message, id, closed);
    if (attempt !== undefined && attempt !== waiting.attempt) {
      return refuse(message, id, 'This question has been asked again meanwhile.');
    }
    waiting.resolve(answer);
    return true;
  };

  return {
    receive(message) {
      if (answerForm.is(message)) {
        const { questionId, attempt, content } = message.body;
        return reply(message, questionId, { action: 'accept', content }, attempt);
      }
      if (decline.is(message)) return reply(message, message.body.questionId, { action: 'decline' });
      if (cancel.is(message)) return reply(message, message.body.questionId, { action: 'cancel' });
      if (viewResponse.is(message)) {
        const { renderId, value } = message.body;
        const waiting = views.get(renderId);
        if (!waiting) return refuse(message, renderId, closed);
        waiting.resolve(value);
        return true;
      }
      if (viewCrashed.is(message)) {
        const { renderId, error } = message.body;
        const waiting = views.get(renderId);
        const crash = crashOf(waiting?.name ?? renderId, error);
        if (waiting) waiting.reject(crash);
        else strayCrash({ renderId, error: crash });
        return true;
      }
      if (submitParams.is(message)) {
        const { formId, values } = message.body;
        const waiting = forms.get(formId);
        if (!waiting) return refuse(message, formId, 'This form is not waited for any more.');
        waiting.resolve(values);
        return true;
      }
      return false;
    },
    question: (id, attempt) => waitIn(questions, id, { attempt }),
    view: (renderId, name) => waitIn(views, renderId, { name }),
    parameters: (formId) => waitIn(forms, formId, {}),
    cancel(questionId) {
      questions.get(questionId)?.resolve({ action: 'cancel' });
    },
    onStrayCrash(listener) {
      strayCrash = listener;
    },
  };
}

/** Waits under a key: the first value counts, and the key is free again at once. */
function waitIn<T, More extends object>(
  map: Map<string, Waiting<T> & More>,
  key: string,
  more: More,
): Operation<T> {
  return action((resolve, reject) => {
    const free = (): void => {
      if (map.get(key) === waiting) map.delete(key);
    };
    const waiting: Waiting<T> & More = {
      ...more,
      resolve: (value) => {
        free();
        resolve(value);
      },
      reject: (error) => {
        free();
        reject(error);
      },
    };
    map.set(key, waiting);
    return free;
  });
}

function crashOf(name: string, error: { name: string; message: string; stack?: string | undefined }): Error {
  const cause = Object.assign(new Error(error.message), {
    name: error.name,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  });
  return new ViewError(`the view '${name}' crashed: ${error.message}`, { cause });
}
