import { type Operation, scoped, useScope } from 'effection';
import type { Client } from '../session/client.ts';
import type { EndEvent } from '../session/events.ts';
import type { Session } from '../session/session.ts';
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
  const attached = session.attachNow(client);
  try {
    const end = session.ended();
    // 15 µs of a call that is over by now and has nobody to tell.
    if (end && !session.events(options.after).some((event) => observes(client, event))) return end;
    return yield* scoped(function* () {
      return yield* new Driver(session, client, attached, until, yield* useScope(), options).run();
    });
  } finally {
    attached.detach();
  }
}
