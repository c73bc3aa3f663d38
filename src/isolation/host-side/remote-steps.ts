import { type Operation, until, useScope } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { BehindContext } from '../../runtime/call/behind-context.ts';
import type { Handlers } from '../wire/contract.ts';
import type { RealmMethods } from '../wire/methods/realm-methods.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import { type Connection, RealmEndedError } from './connection.ts';
import type { Lender } from './loans.ts';
import type { RemoteAsker } from './remote-asks.ts';

/** The steps and sleeps of a tool in another realm: run there, written down here. `undo` takes one back there. */
export function stepHandlers(
  { call, frame, path }: BehindContext,
  undo: (id: string, result: JsonValue | undefined) => Operation<void>,
): Handlers<SessionMethods, RealmMethods> {
  const { steps } = call;
  return {
    *step(opening, there) {
      let id = '';
      const outcome = yield* steps.run(
        {
          ...opening,
          opened(given) {
            id = given;
            if (opening.undo) call.undos.set(id, (result) => undo(id, result));
          },
          code: ({ id, attempt }) => there.call('turn', { id, attempt }),
        },
        frame,
      );
      return { id, outcome };
    },
    sleep: ({ milliseconds, depth }) => steps.sleep(milliseconds, depth, frame),
    *keepHandoff({ value }) {
      if (!path && !call.over) yield* call.keepHandoff(value);
    },
  };
}

/** Takes back a step where its code is. */
export function* takeBackStep(
  { connection, behind, tool }: RemoteAsker & { readonly connection: Connection },
  lender: Lender,
  id: string,
  result: JsonValue | undefined,
): Operation<void> {
  const scope = yield* useScope();
  const handlers: Handlers<SessionMethods, RealmMethods> = {
    borrow: lender.lend,
  };
  const params = { callId: behind.call.id, id, abilities: [...lender.names], ...defined({ result }) };
  try {
    yield* until(connection.ask('undo', params, { scope, handlers }));
  } catch (error) {
    throw RealmEndedError.for(tool, error);
  }
}
