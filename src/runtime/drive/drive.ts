import type { Operation } from 'effection';
import type { Client } from '../session/client.ts';
import type { EndEvent } from '../session/events.ts';
import type { Session } from '../session/session.ts';
import { here, wait } from '../taskless/wait.ts';
import { type Blocked, type DriveOptions, Driver, type LeavableOptions, type Left } from './driver.ts';
import type { Leaving } from './leaving.ts';
import { observes } from './observe.ts';

export type { Blocked, DriveOptions } from './driver.ts';

/**
 * The loop between a session and a client: hands each ask to the client's verb and its answer back, and logs and
 * progress to the client in order, before the result.
 *
 * `'end'` drives until the call has ended. `'blocked'` also returns when asks are open that the client takes elsewhere
 * (it `can`, and has no verb) or that nobody attached can answer, none of its own verbs is running, and no ask was
 * opened for one turn of the event loop. The call runs on; drive it again later.
 *
 * @example
 * const end = yield* drive(session, compose(panel, languageModel), 'end');
 * if (end.type === 'result') show(end.value);
 */
export function drive(
  session: Session,
  client: Client,
  until: 'end',
  options?: DriveOptions,
): Operation<EndEvent>;
export function drive(
  session: Session,
  client: Client,
  until: 'end' | 'blocked',
  options?: DriveOptions,
): Operation<EndEvent | Blocked>;
/** The same for one who may leave meanwhile. */
export function drive(
  session: Session,
  client: Client,
  until: 'end' | 'blocked',
  options: DriveOptions & { readonly leaving: Leaving | undefined },
): Operation<EndEvent | Blocked | Left>;
export function* drive(
  session: Session,
  client: Client,
  until: 'end' | 'blocked',
  options: LeavableOptions = {},
): Operation<EndEvent | Blocked | Left> {
  const lease = session.lease(client);
  try {
    // Most calls that wait do so for their end alone: a driver is made for what happens before that.
    if (isQuiet(session, options)) yield* somethingHappens(session, options);
    const end = session.ended();
    // Most short calls are over by now, and there is nobody to tell: no scope for those.
    if (end && !session.events(options.after).some((event) => observes(client, event))) return end;
    return yield* new Driver(session, client, lease, until, yield* here(), options).run();
  } finally {
    lease.detach();
  }
}

/** Whether it goes on, and there is nothing to answer or to tell of. */
function isQuiet(session: Session, { after, leaving }: LeavableOptions): boolean {
  if (session.ended() || leaving?.hasLeft) return false;
  return session.openAsks().length === 0 && session.events(after).length === 0;
}

function somethingHappens(session: Session, options: LeavableOptions): Operation<void> {
  return wait<void>((resolve) => {
    const stop = session.subscribe(() => resolve());
    options.leaving?.onLeave(resolve);
    // Between the look and the wait others may run.
    if (!isQuiet(session, options)) resolve();
    return stop;
  }, 'something in the session');
}
