import type { PanelState } from '../../../panel/model/state.ts';
import type { CallInfo } from '../../../panel-port/index.ts';
import type { Session } from '../../../runtime/session/session.ts';
import type { KeptCall, OngoingNote } from '../history/kept-call.ts';
import { givenText } from '../parameters/given.ts';

/** What a list will say of a call that has just ended. */
export function keptOf(
  { call, timers }: PanelState,
  { principal, params }: Pick<Session, 'principal' | 'params'>,
): KeptCall | undefined {
  const { startedAt, endedAt } = call;
  if (startedAt === undefined || endedAt === undefined) return undefined;
  return { ...call, startedAt, endedAt, principal, waited: timers.human.total, given: givenText(params) };
}

/** What windows to come have to know of a call that goes on. */
export function noteOf(call: CallInfo, session: Session): OngoingNote {
  const { startedAt, principal, plugin, tool } = session;
  const { durable, annotations } = tool.def;
  const handled = Object.entries(plugin?.client.handlers ?? {}).flatMap(([key, handler]) =>
    handler === undefined ? [] : [key],
  );
  const goesOn = durable ? 'durable' : annotations.readOnlyHint === true ? 'reads' : 'no';
  return { ...call, startedAt, principal, handled, goesOn };
}
