import type { JsonValue } from '../../../core/messages/json.ts';
import { secretsIn } from '../../../core/messages/secrets/mask-secrets.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';
import { ifJson } from '../../log/if-json.ts';
import type { CallRecord } from './kept-call.ts';

/** A call as it may be shown and handed on. */
export interface MaskedCall {
  readonly params: JsonValue;
  readonly events: readonly SessionEvent[];
}

/** A call without its secrets, wherever they went; what of it is no JSON is left out. Events stay events, whatever the secret is. */
export function maskedCall(params: unknown, events: ReturnType<CallRecord['events']>): MaskedCall {
  const happened = events.flatMap((event) => {
    const json = ifJson(event);
    return json === undefined ? [] : [{ event, json }];
  });
  const given = ifJson(params) ?? null;
  const mask = secretsIn([given, ...happened.map(({ json }) => json)]);
  return {
    params: mask(given),
    events: happened.map(({ event, json }) => withItsForm(event, mask(json) as unknown as SessionEvent)),
  };
}

/** A secret may be a word of ours, such as `result`: what makes an event what it is stays as it was. */
function withItsForm(event: SessionEvent, masked: SessionEvent): SessionEvent {
  const { type, at, time } = event;
  const form = { ...masked, type, at, time };
  if ('ask' in event) {
    const { kind, id, depth, attempt } = event.ask;
    return { ...form, ask: { ...(masked as typeof event).ask, kind, id, depth, attempt } } as SessionEvent;
  }
  if (event.type === 'ask_closed') return { ...form, id: event.id, how: event.how } as SessionEvent;
  return form as SessionEvent;
}
