import { type Operation, race, suspend, withResolvers } from 'effection';
import { nameOfCall } from '../../calls/messages.ts';
import { CallRefused, type Calls } from '../../calls/port.ts';
import { APP_CALL } from '../../panel-port/index.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import type { ServerParts } from '../host.ts';
import { attachBeside, besideOf, goOnBeside } from './beside.ts';
import { ended } from './disconnect.ts';
import { onPages, withPage } from './on-pages.ts';
import type { CallPages, RequestedCall } from './open-call.ts';
import type { WhoAnswers } from './who-answers.ts';
import type { WireRequest } from './wire-request.ts';

/** What the pages of a call hang on. */
export interface CallPagesParts {
  readonly host: ServerParts;
  readonly request: WireRequest;
  readonly who: WhoAnswers;
  /** Says to the person where they are asked. */
  tell(message: string): void;
}

/** Pages that ask what a call asks while a request attends to it, and beyond; nothing where there are none. */
export function* attendPages(
  { host, request, who: { surfaces, stranded, links }, tell }: CallPagesParts,
  call: RequestedCall,
  { calls, session, isLast }: { calls: Calls; session: Session; isLast: boolean },
): Operation<CallPages | undefined> {
  const { early, appPages: pages, run, report } = host;
  const found = request.apps?.began({ session, given: call.callable.given, request: request.id });
  const attachHere = () => early?.attach(request, call, calls, session, tell);
  const isHere = surfaces[0] === 'page' || (isLast && surfaces.includes('page'));
  const here = isHere && !session.ended() ? yield* attachHere() ?? [] : undefined;
  const paged = stranded || links ? pages?.callOf(session) : undefined;
  if (!found && !here && !paged) return undefined;
  paged?.attended();
  let goesOn = false;
  return {
    client: here?.client ?? call.client,
    due: here?.due ?? stranded ?? suspend(),
    *answer() {
      if (here) return yield* here.answer();
      if (!pages) throw new Error('a call without pages cannot go on without its request');
      goesOn = true;
      // Nothing is sent for a request that was answered: only pages answer from here on.
      const other = request.caller.client ? undefined : yield* attachHere() ?? [];
      if (other) pages.slow.hasNotSpoken(request.clientInfo);
      else {
        const { over } = yield* attachBeside(host, calls, session, onPages(request.name, pages));
        goOnBeside(host, pages, session, over);
      }
      found?.goesOn({
        told: (end) => call.finish(end),
        gone: () => {
          run(() => session.abort('the client is gone')).catch((cause: unknown) =>
            report('a call that continued without its request failed', cause),
          );
        },
      });
      const { content } = (yield* other?.answer() ?? []) ?? waits(session.toolName);
      return { content, _meta: { [APP_CALL]: session.id } };
    },
    *leave(snapshot) {
      if (paged && pages && !here && snapshot?.pinned && snapshot.round) {
        goesOn = true;
        const { operation, resolve } = withResolvers<void>('the next request');
        paged.attended = resolve;
        run(() => race([operation, whileLookedAt(pages, call.client, calls, session)])).catch(
          (cause: unknown) => {
            if (!(cause instanceof CallRefused)) report('a page failed between two requests', cause);
          },
        );
      }
      if (!goesOn) found?.over();
      yield* here?.leave() ?? [];
    },
  };
}

/**
 * While its client has what a call asks, and no request is open, who looks at a page may answer there as well, and the first answer counts.
 * While nobody looks, nothing holds the call.
 */
function* whileLookedAt(
  pages: OwnPages,
  { name, capabilities, can }: Client,
  calls: Calls,
  session: Session,
): Operation<void> {
  const { guests, unseen } = pages.callOf(session);
  // It has no verb for the rest, and tells its client nothing.
  const client = withPage({ name, capabilities, can }, onPages(name, pages));
  while (!session.ended()) {
    if (!guests.any) yield* race([guests.joined(), ended(session)]);
    if (guests.any)
      yield* race([calls.attach(nameOfCall(session), besideOf(client), 'end'), unseen(() => 0)]);
  }
}

/** For the model: what it has in place of a result. */
function waits(tool: string): { readonly content: unknown } {
  const text =
    `${tool} asks the user on a page that is shown with this call, and continues there. There is no result yet, and this is not a failure: ` +
    'do not call it again, and do not ask the user yourself. Tell the user to answer on the page, and end your turn: ' +
    'when the call is done, the page adds its result to this conversation. If no page is shown, this client cannot ask the user: tell the user.';
  return { content: [{ type: 'text', text }] };
}
