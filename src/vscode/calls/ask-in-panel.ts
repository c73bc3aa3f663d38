import { randomUUID } from 'node:crypto';
import { action, ensure, type Operation, scoped, spawn } from 'effection';
import type { FormJsonSchema } from '../../core/form/form-schema.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { QuestionReply } from '../../panel/inbox.ts';
import type { PanelStore } from '../../panel/panel-store.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import type { CallEntry } from './call-entry.ts';

/** What Parley itself asks the person in the panel of a call: no part of the call's journal, and no client answers it. */
export interface PanelQuestion {
  /** Of the tool that it is about. */
  readonly toolName: string;
  readonly message: string;
  readonly schema: FormJsonSchema;
  /** What was wrong with the answer before. */
  readonly problem?: string | undefined;
}

/** Asks, as soon as nothing else is asked there, and waits for the answer. */
export function askInPanel(
  entry: CallEntry,
  { toolName, message, schema, problem }: PanelQuestion,
  asked: () => void,
): Operation<QuestionReply> {
  const { store, inbox } = entry.panel;
  const ask: ElicitAsk = {
    kind: 'elicit',
    id: `approval:${randomUUID()}`,
    wireKey: 'approval',
    depth: 0,
    attempt: 1,
    declared: false,
    inEditor: true,
    ref: { toolName, callId: entry.session()?.id ?? '', key: 'approval', seq: 1 },
    request: { message, requestedSchema: schema },
    ...defined({ problem }),
  };
  return scoped(function* () {
    yield* free(store);
    const reply = yield* spawn(() => inbox.question(ask.id, ask.attempt));
    const open = () =>
      store.dispatch({ type: 'event', event: { at: 0, time: Date.now(), type: 'elicit_request', ask } });
    let waits = true;
    const close = (how: 'answered' | 'withdrawn', answer?: JsonObject) => {
      waits = false;
      const event = {
        at: 0,
        time: Date.now(),
        type: 'ask_closed',
        id: ask.id,
        how,
        ...defined({ answer }),
      } as const;
      store.dispatch({ type: 'event', event });
    };
    yield* ensure(() => {
      if (waits) close('withdrawn');
    });
    // A question of the tool that came meanwhile took its place: when that is answered, it is shown again.
    yield* ensure(
      store.subscribe(({ question, end }) => {
        if (waits && !question && !end) open();
      }),
    );
    open();
    asked();
    const given = yield* reply;
    close('answered', { ...given });
    return given;
  });
}

/** Waits until nothing is asked in a panel. */
function free(store: PanelStore): Operation<void> {
  return action((resolve) => {
    const look = () => {
      if (!store.get().question) resolve();
    };
    const stop = store.subscribe(look);
    look();
    return stop;
  });
}
