import { type Operation, race, until, withResolvers } from 'effection';
import { nameOfCall } from '../../calls/messages.ts';
import type { CallAttachment, Calls } from '../../calls/port.ts';
import type { SessionManager } from '../../runtime/manager/manager.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OwnPages } from '../apps/own-pages.ts';

/** What going on beside a request, and after it, needs of a server. */
export interface BesideParts {
  readonly manager: SessionManager;
  readonly askTimeout: number;
  run<T>(op: () => Operation<T>): Promise<T>;
  report(message: string, cause?: unknown): void;
}

/** A page that is attached to a call, to its end, beside the request for it. */
export interface Beside {
  /** What the call came to; nothing once the page has left it. */
  readonly over: Promise<EndEvent | undefined>;
  leave(): Operation<void>;
}

/** Attaches a page to a call that runs here. */
export function* attachBeside(
  { run }: Pick<BesideParts, 'run'>,
  calls: Calls,
  session: Session,
  client: Client,
): Operation<Beside> {
  const attached = withResolvers<void>('the page is attached');
  const left = withResolvers<undefined>('the page leaves');
  const attachment: CallAttachment = {
    ...besideOf(client),
    *attended(_, drive) {
      attached.resolve();
      return yield* drive(client);
    },
  };
  const over = run(() => race([calls.attach(nameOfCall(session), attachment, 'end'), left.operation])).then(
    (snapshot) => snapshot?.end,
  );
  // What goes wrong is said to whoever reads it.
  const here = () => attached.resolve();
  over.then(here, here);
  yield* attached.operation;
  return {
    over,
    *leave() {
      left.resolve(undefined);
      yield* until(over.catch(() => {}));
    },
  };
}

/** A client as it is attached to a call that is here already. */
export function besideOf(client: Client): CallAttachment {
  return {
    client,
    *resume() {
      throw new Error('a call that a page was on does not run any more');
    },
  };
}

/** The page goes on with a call whose request is answered; where nobody looks at it, as long as a client may take to answer. */
export function goOnBeside(
  { run, report, manager, askTimeout }: BesideParts,
  pages: Pick<OwnPages, 'callOf'>,
  session: Session,
  over: Beside['over'],
): void {
  const { principal, callId } = session;
  run(function* () {
    yield* race([until(over), pages.callOf(session).unseen(() => askTimeout)]);
    if (!session.ended()) yield* session.abort('the question on its page was not answered');
    yield* until(over);
  })
    .catch((cause: unknown) => report('a call that continued without its request failed', cause))
    .finally(() => manager.forget({ principal, callId }));
}
