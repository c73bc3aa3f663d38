import { type Operation, race } from 'effection';
import { isParleyError, toError } from '../../../core/errors/errors.ts';
import { readPageAddress } from '../../../core/page/page-address.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { aborted } from '../../../runtime/call/aborted.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';
import { emptyForm, foreignForm } from '../schema/foreign-form.ts';
import type { ForeignContext } from './foreign-context.ts';
import type { ForeignAsk } from './in-flight.ts';
import type { ModelConsent } from './model-consent.ts';
import { sampleFor } from './sample-for.ts';

type Answer = Readonly<Record<string, unknown>>;

const CANNOT_ASK: readonly unknown[] = ['CAPABILITY', 'ELICITATION_IN_BRANCH', 'CALL_ENDED'];

/** Asks for a server what it asks, as a question of this call. Never fails: a server is told what went wrong. */
export function* answerAsk(
  server: { readonly name: string; readonly consent: ModelConsent },
  ctx: ForeignContext,
  ask: ForeignAsk,
): Operation<void> {
  try {
    const answer = yield* race([answered(server, ctx, ask), aborted(ask.signal)]);
    if (answer) ask.resolve(answer);
    else ask.reject(new Error('it was withdrawn'));
  } catch (thrown) {
    const error = toError(thrown);
    const code =
      isParleyError(error) && CANNOT_ASK.includes(error.code) ? RPC.invalidRequest : RPC.invalidParams;
    ask.reject(Object.assign(new Error(error.message), { code: codeOf(error) ?? code }));
  }
}

/** A code of the protocol that an error carries. */
function codeOf(error: Error): number | undefined {
  return 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

function* answered(
  server: { readonly name: string; readonly consent: ModelConsent },
  ctx: ForeignContext,
  { kind, params }: ForeignAsk,
): Operation<Answer> {
  switch (kind) {
    case 'elicit':
      return params.mode === 'url' ? yield* sendToPage(ctx, params) : yield* fillIn(ctx, params);
    case 'sample':
      return { ...(yield* sampleFor(server, ctx, params)) };
    case 'roots':
      return { roots: yield* ctx.roots() };
  }
}

function* fillIn(ctx: ForeignContext, params: Answer): Operation<Answer> {
  const { message, requestedSchema } = params;
  const json = isObject(requestedSchema) ? requestedSchema : { type: 'object', properties: {} };
  const { schema, defaults } = foreignForm(json);
  const answer = yield* ctx.elicit({ message: String(message ?? ''), schema });
  return answer.action === 'accept'
    ? { action: 'accept', content: { ...defaults, ...answer.content } }
    : { action: answer.action };
}

/**
 * Asks the person to open a page. What they do there goes past us. A client that cannot open pages is asked with the address in
 * the text of a question: accepting says that the person has been there.
 */
export function* sendToPage(ctx: ForeignContext, { message, url }: Answer): Operation<Answer> {
  const read = readPageAddress(url);
  if (!read.ok) throw new Error(`this address cannot be opened: ${read.problem}`);
  const { href } = read.address;
  if (ctx.capabilities.elicitation?.url) {
    const { action } = yield* ctx.elicit({ mode: 'url', message: String(message ?? ''), url: href });
    return { action };
  }
  const text = `${String(message ?? '')}\n\nOpen this page in your browser, and submit this form when you have been there: ${href}`;
  const answer = yield* ctx.elicit({ message: text, schema: emptyForm() });
  return { action: answer.action };
}

/** Asks the person to open a page, and waits until they say that they have finished there. */
export function* visitPage(ctx: ForeignContext, page: Answer): Operation<Answer> {
  const opened = yield* sendToPage(ctx, page);
  const { url, form } = ctx.capabilities.elicitation ?? {};
  // Without a form they have either said so, or cannot be asked.
  if (opened.action !== 'accept' || !url || !form) return opened;
  const answer = yield* ctx.elicit({
    message: 'Have you finished on the page that was opened?',
    schema: emptyForm(),
  });
  return { action: answer.action };
}
