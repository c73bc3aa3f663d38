import { type Mask, maskOf, textsOfSecrets } from '../../core/messages/secrets/mask-secrets.ts';
import type { SessionEvent } from '../../runtime/session/events.ts';
import { ifJson } from './if-json.ts';

/**
 * Makes what takes the events of a call, in their order, and gives what masks a line of it: the secrets that the call was given, that it
 * was answered, or that are in the event itself.
 */
export function callMask(params: unknown): (event: SessionEvent) => Mask {
  const known = new Set(textsOfSecrets(ifJson(params)));
  return (event) => {
    for (const text of textsOfSecrets(ifJson(event))) known.add(text);
    return maskOf(known);
  };
}
