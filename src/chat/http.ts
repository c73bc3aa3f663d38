import { createScope, type Operation, type Scope, type WithResolvers, withResolvers } from 'effection';
import * as z from 'zod';
import { toError } from '../core/errors/parley-error.ts';
import type { MessageContent } from '../core/messages/content.ts';
import { isMessageContent } from '../core/messages/result-content.ts';
import { checkOptions } from '../core/schema/check-options.ts';
import { defined } from '../core/schema/defined.ts';
import { problemsIn } from '../core/schema/validate.ts';
import type { ChatEngine } from './engine.ts';
import type { ChatEvent } from './events.ts';
import type { ChatRequestBody } from './state.ts';

const block = z.custom<MessageContent>(isMessageContent, 'must be a content block');
const result = z.custom<MessageContent>(
  (value) => isMessageContent(value) && value.type === 'tool_result',
  'must be a tool_result block',
);
const message = z.object({ role: z.enum(['user', 'assistant']), content: z.union([block, z.array(block)]) });
const answer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: z.record(z.string(), z.unknown()) }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
  z.object({ action: z.literal('reply'), text: z.string() }),
]);
const abort = z.object({ sessionId: z.string(), reason: z.string().optional() });
const request = z.object({
  state: z.object({
    id: z.string().min(1).max(200),
    messages: z.array(message),
    awaiting: z.array(z.looseObject({ callId: z.string(), toolName: z.string(), at: z.number() })),
    results: z.array(result),
    queued: z.array(message),
  }),
  message: message.optional(),
  pluginElicitResponses: z
    .array(
      z.object({
        sessionId: z.string(),
        callId: z.string().optional(),
        elicitId: z.string(),
        result: answer,
      }),
    )
    .optional(),
  pluginAbort: z.union([abort, z.array(abort)]).optional(),
});

/** How {@link createChatHandler} serves. */
export interface ChatHandlerOptions {
  /** In whose lifetime turns run; a root scope of the handler's own by default. */
  readonly scope?: Scope;
  /** The largest body it reads, in bytes; 4 MiB by default. */
  readonly maxBody?: number;
}

/**
 * Serves turns over HTTP: a POST with a {@link ChatRequestBody} as JSON is answered by a stream of {@link ChatEvent}s, one
 * JSON line each (`application/x-ndjson`), of which the last is `turn_end` with the state for the next request, or
 * `{ "type": "failed" }`. A caller that goes away stops the turn; what waits for a person goes on waiting.
 *
 * The handler trusts its caller to be who the engine's `principal` says: authenticate before it.
 */
export function createChatHandler(
  engine: ChatEngine,
  options: ChatHandlerOptions = {},
): (request: Request) => Promise<Response> {
  checkOptions('createChatHandler', options, ['scope', 'maxBody']);
  const scope = options.scope ?? ownScope();
  const maxBody = options.maxBody ?? 4 * 1024 * 1024;
  return async (httpRequest) => {
    if (httpRequest.method !== 'POST')
      return refuse(405, 'Send a POST with a turn request.', { allow: 'POST' });
    const body = await readBody(httpRequest, maxBody).catch(() => null);
    if (body === null) return refuse(400, 'The body broke off.');
    if (body === undefined) return refuse(413, `The body is larger than ${maxBody} bytes.`);
    const parsed = parse(body);
    if (typeof parsed === 'string') return refuse(400, parsed);
    return stream(engine, parsed, scope);
  };
}

/** What it gives can be taken apart, and has no indices. */
function ownScope(): Scope {
  const [scope] = createScope();
  return scope;
}

function stream(engine: ChatEngine, turn: ChatRequestBody, scope: Scope): Response {
  const encoder = new TextEncoder();
  const gone = withResolvers<void>();
  let room: WithResolvers<void> | undefined;
  const wake = () => {
    room?.resolve();
    room = undefined;
  };
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      function* emit(event: ChatEvent): Operation<void> {
        if (isGone) return;
        controller.enqueue(encoder.encode(`${JSON.stringify(toldOf(event))}\n`));
        // A slow reader holds the turn up, not the memory; several calls may have something to say at once.
        if ((controller.desiredSize ?? 1) <= 0) {
          room ??= withResolvers<void>();
          yield* room.operation;
        }
      }
      scope
        .run(() => engine.turn(turn, emit, gone.operation))
        .then(() => controller.close())
        .catch((error: unknown) => {
          controller.enqueue(
            encoder.encode(`${JSON.stringify({ type: 'failed', message: toError(error).message })}\n`),
          );
          controller.close();
        })
        // The reader is gone: there is nobody to tell.
        .catch(() => {});
    },
    pull() {
      wake();
    },
    cancel() {
      isGone = true;
      gone.resolve();
      wake();
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  });
}

/** An event as a caller may read it: no stack and no cause leaves the process. */
function toldOf(event: ChatEvent): ChatEvent {
  if (event.type !== 'turn_end' || !event.error) return event;
  const { name, code, message } = event.error;
  return { ...event, error: { name, message, ...defined({ code }) } };
}

async function readBody(httpRequest: Request, maxBody: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of httpRequest.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBody) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(body: string): ChatRequestBody | string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    return `The body is not JSON: ${toError(error).message}`;
  }
  const result = request.safeParse(json);
  if (!result.success)
    return `The turn request does not fit: ${problemsIn(result.error.issues, json).problem}`;
  return json as ChatRequestBody;
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error: message }, { status, headers });
}
