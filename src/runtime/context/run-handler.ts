import { type Operation, scoped } from 'effection';
import { HandlerError } from '../../core/errors/call-errors.ts';
import { isParleyError, toError } from '../../core/errors/errors.ts';
import type { FormJsonSchema } from '../../core/form/form-schema.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyElicitHandler, ElicitRequest, PluginClientContext } from '../../core/plugin/plugin.ts';
import { type ViewReference, viewReferenceOf } from '../../core/plugin/view.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ElicitAnswer, FormAskRequest } from '../../core/tool/ask.ts';
import type { Progress } from '../../core/tool/context.ts';
import { toJson } from '../data/json-data.ts';
import type { ElicitAsk } from '../session/ask.ts';
import type { ElicitRealm, Session } from '../session/session.ts';
import { checkedSteps, Unfinished } from './unfinished.ts';

/** Where a handler's views appear. A panel implements it; a test scripts it. */
export interface ViewPort {
  /** Shows a view and waits for what it responds with. @throws `ViewError` when it is unknown or crashes. */
  render(view: ViewReference, props: JsonObject): Operation<unknown>;
  /** Shows a view and goes on. */
  show(view: ViewReference, props: JsonObject): Operation<void>;
  /** Says in the question's place what the handler is doing. */
  reportProgress(message: string, progress?: Progress): Operation<void>;
}

/**
 * Runs the handler that a plugin has for a question, and gives its answer. Halting it (the person declined, cancelled, or
 * another surface was faster) halts the handler.
 *
 * @throws `HandlerError` when there is no handler, it throws, or what it returns is no answer; `ViewError` from its views.
 */
export function* runHandler(
  session: Pick<Session, 'realm'>,
  ask: ElicitAsk,
  port: ViewPort,
): Operation<ElicitAnswer<unknown>> {
  const { key } = ask.ref;
  const realm = session.realm(ask);
  const handler = ask.declared ? realm?.plugin?.client.handlers[key] : undefined;
  if (!realm || !handler) {
    throw new HandlerError(`there is no handler for '${key}' here: ask with the schema form`);
  }
  const ending = new AbortController();
  const request = requestOf(ask, realm);
  const unfinished = new Unfinished();
  const tell = (problem: string) => warn(realm, ask, `the handler of '${key}': ${problem}`);
  let given: unknown;
  try {
    const ctx = contextOf(request, port, ending.signal, unfinished);
    // What it left running ends, and its cleanup is over, before its answer counts.
    given = yield* scoped(() => unfinished.checked(request.toolName, run(handler, request, ctx), tell));
  } catch (error) {
    if (isParleyError(error, 'HANDLER') || isParleyError(error, 'VIEW')) throw error;
    throw new HandlerError(`the handler of '${key}' failed: ${toError(error).message}`, { cause: error });
  } finally {
    ending.abort();
  }
  return answerOf(key, given);
}

function* run(
  handler: AnyElicitHandler,
  request: ElicitRequest,
  ctx: PluginClientContext,
): Operation<unknown> {
  return yield* checkedSteps(request.toolName, () => handler(request, ctx), 'the handler');
}

/** Tells the author in the log of the call. */
function warn({ call }: ElicitRealm, { depth }: ElicitAsk, message: string): void {
  if (!call.over) call.emit({ type: 'log', level: 'warning', message, depth });
}

function formOf({ ref, request }: ElicitAsk): FormAskRequest {
  if (request.mode !== 'url') return request;
  throw new HandlerError(`'${ref.key}' is a page to open: no handler answers it`);
}

function requestOf(ask: ElicitAsk, { schema, params, handoff, context }: ElicitRealm): ElicitRequest {
  const { toolName, key, callId, seq } = ask.ref;
  const { message, requestedSchema } = formOf(ask);
  const request = {
    ...context,
    id: { toolName, key, callId, seq },
    askId: ask.id,
    key,
    toolName,
    callId,
    seq,
    message,
    schema: { zod: schema, json: requestedSchema },
    values: valuesOf(requestedSchema),
    params,
    handoff,
    attempt: ask.attempt,
    ...defined({ problem: ask.problem }),
  };
  // Declared types of key, schema and context exist only where the plugin was made.
  return request as unknown as ElicitRequest;
}

function valuesOf({ properties }: FormJsonSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

function contextOf(
  request: ElicitRequest,
  port: ViewPort,
  signal: AbortSignal,
  unfinished: Unfinished,
): PluginClientContext {
  const { key } = request;
  function* render(view: unknown, props: unknown): Operation<never> {
    return (yield* port.render(referenceOf(view, key), propsOf(props, key))) as never;
  }
  function* show(view: unknown, props: unknown): Operation<void> {
    yield* port.show(referenceOf(view, key), propsOf(props, key));
  }
  return {
    elicitRequest: request,
    callId: request.callId,
    signal,
    render: (view, props) => unfinished.note('ctx.render', render(view, props), nameOf(view)),
    show: (view, props) => unfinished.note('ctx.show', show(view, props), nameOf(view)),
    reportProgress: (message, progress) =>
      unfinished.note('ctx.reportProgress', port.reportProgress(String(message), progress), message),
  };
}

const nameOf = (view: unknown) => (view as { readonly name?: string } | undefined)?.name;

// In a unit test a view may be the component itself: it goes by its name then.
function referenceOf(view: unknown, key: PropertyKey): ViewReference {
  const reference = viewReferenceOf(view);
  if (reference) return reference;
  if (typeof view === 'function') return { kind: 'parley.view', key: view.name, name: view.name };
  throw new HandlerError(
    `the handler of '${String(key)}' renders something that is no view: import a component from a *.view.tsx file`,
  );
}

function propsOf(props: unknown, key: PropertyKey): JsonObject {
  const json = toJson(props ?? {});
  if (json.ok) return json.value as JsonObject;
  throw new HandlerError(
    `the handler of '${String(key)}' passes props that cannot go to a page: ${json.problem}`,
  );
}

function answerOf(key: string, given: unknown): ElicitAnswer<unknown> {
  const { action, content, text } = (given ?? {}) as { action?: unknown; content?: unknown; text?: unknown };
  if (action === 'decline' || action === 'cancel') return { action };
  if (action === 'reply' && typeof text === 'string') return { action, text };
  if (action === 'accept' && content !== undefined) return { action, content };
  throw new HandlerError(
    `the handler of '${key}' returned no answer: return { action: 'accept', content: { … } }, { action: 'decline' } or { action: 'cancel' }`,
  );
}
