import { wireForm } from '../../core/form/wire-form.ts';
import { encodeModelContext } from '../../core/messages/model-context.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import { profileOf } from '../clients/profile.ts';
import { plainWords } from './plain-words.ts';

/**
 * A question as `elicitation/create` parameters, in both eras. What was wrong with the last answer heads the message:
 * a client has no other place to show it.
 *
 * @param clientInfo who shows it
 */
export function encodeElicit(
  ask: Pick<ElicitAsk, 'request' | 'problem'>,
  clientInfo?: unknown,
): Readonly<Record<string, unknown>> {
  const profile = profileOf(clientInfo);
  const words = (text: string) => (profile.message === 'plain' ? plainWords(text) : text);
  if (ask.request.mode === 'url') {
    const { mode, message, url } = ask.request;
    return { mode, message: words(message), url };
  }
  const { message, requestedSchema, context } = ask.request;
  const text = ask.problem === undefined ? words(message) : `${ask.problem}\n\n${words(message)}`;
  const form = {
    message: text,
    requestedSchema: describedIn(words, wireForm(requestedSchema, profile)),
  };
  return {
    mode: 'form',
    ...encodeModelContext(form, context, { inMessage: profile.message === undefined }),
  };
}

/** A form whose fields are described in these words. */
function describedIn(words: (text: string) => string, schema: Readonly<Record<string, unknown>>) {
  if (!isObject(schema.properties)) return { ...schema };
  const properties = Object.entries(schema.properties).map(([name, field]) => [
    name,
    isObject(field) && typeof field.description === 'string'
      ? { ...field, description: words(field.description) }
      : field,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Content that no form has. */
const NO_FORM: readonly never[] = [];

/**
 * A client's `ElicitResult`. Content is not looked at: the session checks it with the original schema. What is no
 * result at all counts as accepted with content that no schema of a form takes, so that it is asked again.
 */
export function decodeElicit(wire: unknown): ElicitAnswer<unknown> {
  if (!isObject(wire)) return { action: 'accept', content: NO_FORM };
  if (wire.action === 'decline' || wire.action === 'cancel') return { action: wire.action };
  return { action: 'accept', content: wire.action === 'accept' ? wire.content : NO_FORM };
}
