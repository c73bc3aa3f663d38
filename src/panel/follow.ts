import type { JsonObject } from '../core/messages/json.ts';
import { isJsonObject } from '../panel-port/index.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import type { EndEvent, SessionEvent } from '../runtime/session/events.ts';
import { isEnd } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import { isAboutModel } from './about-model.ts';
import type { ShownEnding } from './model/ending.ts';
import type { PanelStore } from './panel-store.ts';

/** A session, or what is kept of one. */
export type FollowedSession = Pick<
  Session,
  'id' | 'startedAt' | 'params' | 'events' | 'subscribe' | 'plugin' | 'realm'
>;

/** What else is to be done with the events. */
export interface Following {
  /** Events up to here have been shown. */
  readonly after?: number;
  /** Whether a handler takes a question, so that no form flashes by; by the plugin of the session as a rule. */
  handles?(ask: ElicitAsk): boolean;
  /** A question as the panel shows it; as it is asked when absent. */
  shown?(ask: ElicitAsk): ElicitAsk;
  /** An end as the panel shows it; as it is when absent. */
  shownEnd?(end: EndEvent): EndEvent;
  /** Hears each event, in its order. */
  event(event: SessionEvent): void;
  /** What the editor says at the end, and offers. */
  explain(end: EndEvent, lackedModel: boolean): ShownEnding;
  /** Hears the end once the panel shows it. */
  ended?(end: EndEvent): void;
}

/**
 * Feeds a panel with what happens in a session, from its first event to its end. Sessions end with their manager, so only who
 * puts another in its place has to stop this.
 */
export function follow(
  session: FollowedSession,
  store: PanelStore,
  { after, handles, shown, shownEnd = (end) => end, event: heard, explain, ended }: Following,
): () => void {
  const takes = handles ?? ((ask: ElicitAsk) => handlerOf(session, ask) !== undefined);
  let lackedModel = false;
  const take = (event: SessionEvent): void => {
    heard(event);
    if (event.type === 'ask_closed') lackedModel ||= isAboutModel(event.error?.code);
    const ending = isEnd(event) ? explain(event, lackedModel) : undefined;
    const handled = event.type === 'elicit_request' && takes(event.ask);
    const asked = event.type === 'elicit_request' && shown ? { ...event, ask: shown(event.ask) } : event;
    store.dispatch({ type: 'event', event: isEnd(asked) ? shownEnd(asked) : asked, handled, ending });
    if (!ending) return;
    stop();
    ended?.(event as EndEvent);
  };
  if (after === undefined) {
    store.dispatch({
      type: 'started',
      callId: session.id,
      time: session.startedAt,
      params: asObject(session.params),
    });
  }
  let stop = (): void => {};
  const missed = session.events(after);
  stop = session.subscribe(take);
  for (const event of missed) take(event);
  return stop;
}

/** The handler that a declared question of a session has. */
export function handlerOf(session: Pick<Session, 'plugin' | 'realm'>, ask: ElicitAsk) {
  // What runs inside another tool's call has handlers of its own.
  const plugin = session.realm(ask)?.plugin ?? session.plugin;
  return ask.declared ? plugin?.client.handlers[ask.ref.key] : undefined;
}

/** Parsed parameters may hold what is not JSON (dates, maps): a panel shows what is. */
function asObject(params: unknown): JsonObject | undefined {
  if (isJsonObject(params)) return params;
  try {
    const copy: unknown = JSON.parse(JSON.stringify(params));
    return isJsonObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}
