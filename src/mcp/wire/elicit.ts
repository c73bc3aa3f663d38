import { wireForm } from '../../core/form/wire-form.ts';
import { encodeModelContext } from '../../core/messages/model-context.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import { profileOf } from '../clients/profile.ts';

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
  if (ask.request.mode === 'url') {
    const { mode, message, url } = ask.request;
    return { mode, message, url };
  }
  const { message, requestedSchema, context } = ask.request;
  const profile = profileOf(clientInfo);
  const text = ask.problem === undefined ? message : `${ask.problem}\n\n${message}`;
  const form = { message: text, requestedSchema: { ...wireForm(requestedSchema, profile) } };
  return {
    mode: 'form',
    ...encodeModelContext(form, context, { inMessage: profile.message !== 'plain' }),
  };
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
