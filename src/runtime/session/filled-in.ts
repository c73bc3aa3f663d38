import { fillInAgain } from '../../core/form/fill-in.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import type { Ask } from './ask.ts';

/** A question whose form begins with what was answered to it before, for every client that shows one. */
export function filledIn(ask: Ask, content: JsonObject | undefined): Ask {
  if (!content || ask.kind !== 'elicit' || ask.request.mode === 'url') return ask;
  const requestedSchema = fillInAgain(ask.request.requestedSchema, content);
  return { ...ask, request: { ...ask.request, requestedSchema } };
}
