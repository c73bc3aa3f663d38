import type { Ask, ElicitAsk } from '../runtime/session/ask.ts';

/** Whether a page can ask it: what is answered in an editor, or at an address of its own, is for none. */
export function isForPages(ask: Ask): ask is ElicitAsk {
  return ask.kind === 'elicit' && ask.inEditor !== true && ask.request.mode !== 'url';
}
