import type { Operation } from 'effection';
import { formOf } from '../core/page/form-of.ts';
import { defined } from '../core/schema/defined.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import type { EndEvent, SessionEvent } from '../runtime/session/events.ts';
import { isEnd } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import type { ChatEvent } from './events.ts';

type Named = Pick<Session, 'id' | 'toolName'>;

/** What of a session's event a chat shows; `undefined` for what only its surface needs. */
export function chatEventOf(
  session: Named,
  event: SessionEvent,
  callId: string = session.id,
): ChatEvent | undefined {
  switch (event.type) {
    case 'log':
      return { type: 'tool_log', callId, level: event.level, message: event.message };
    case 'progress': {
      const { message, value, total } = event;
      return {
        type: 'tool_progress',
        callId,
        message,
        ...defined({ value, total }),
      };
    }
    case 'elicit_request':
      return questionEventOf(session, event.ask, callId);
    default:
      return undefined;
  }
}

/** That a call waits for a person. */
export function questionEventOf(
  session: Named,
  { id, ref, request, problem }: ElicitAsk,
  callId: string = session.id,
): ChatEvent {
  return {
    type: 'plugin_elicit_request',
    sessionId: session.id,
    callId,
    toolName: session.toolName,
    elicitId: id,
    key: ref.key,
    message: request.message,
    schema: formOf(request),
    ...defined({
      problem,
      context: request.context,
      url: request.mode === 'url' ? request.url : undefined,
    }),
  };
}

/** Reports a session that is driven elsewhere, from after an event on, until it ends. */
export function* followToEnd(
  callId: string,
  session: Session,
  emit: (event: ChatEvent) => Operation<void>,
  after: number,
): Operation<EndEvent> {
  // A question that was open before is news to this turn.
  for (const question of session.openAsks()) {
    if (after > 0 && question.kind === 'elicit') {
      yield* emit(questionEventOf(session, question, callId));
    }
  }
  let at = after;
  while (true) {
    const event = yield* session.nextEvent(at);
    if (isEnd(event)) return event;
    at = event.at;
    const shown = chatEventOf(session, event, callId);
    if (shown) yield* emit(shown);
  }
}
