import { action, type Operation, race, sleep, type WithResolvers, withResolvers } from 'effection';
import { shownTitle } from '../../core/messages/readable-name.ts';
import { type Answering, createAnswering } from '../../panel/answering.ts';
import { follow } from '../../panel/follow.ts';
import { GuestPages, type Starter } from '../../panel/guest-pages.ts';
import { createInbox } from '../../panel/inbox.ts';
import { initialState } from '../../panel/model/state.ts';
import { createPageListener } from '../../panel/page-listener.ts';
import { createPanelStore, type PanelStore } from '../../panel/panel-store.ts';
import { stopReasons } from '../../panel-port/index.ts';
import type { Session } from '../../runtime/session/session.ts';

/** What pages of calls work with. */
export interface PagedCallParts {
  readonly starter: Starter;
  report(message: string, cause?: unknown): void;
}

/** A call as the pages of its client's conversation show it: the run panel, with nothing of an editor. */
export interface PagedCall {
  readonly guests: GuestPages;
  /** Asks on its pages. */
  readonly answer: Answering;
  /** No page came for an earlier question. */
  missed: boolean;
  /** A request for it has come: ends what bridges the time to that. */
  attended(): void;
  /** Ends when no page has been there for so many milliseconds, as these are when the last one goes. */
  unseen(patience: () => number): Operation<void>;
}

/** Follows a session, for pages that may come. */
export function createPagedCall(session: Session, { starter, report }: PagedCallParts): PagedCall {
  const { name, def } = session.tool;
  const title = shownTitle(session.tool);
  const { description } = def;
  const store = createPanelStore(
    initialState({ callId: session.id, toolName: name, title, description }, { goesBack: false }),
  );
  const inbox = createInbox({
    post: (message) => guests.post(message),
    onDead: (message, why) => report(`${title}: a page sent “${message.name}”, which had no effect. ${why}`),
  });
  let left: WithResolvers<void> = withResolvers<void>();
  const nothing = (): void => {};
  const guests: GuestPages = new GuestPages({
    edge: starter,
    title,
    store,
    listen: (onReady) =>
      createPageListener({
        inbox,
        title,
        log: { warn: report, show: nothing },
        onReady,
        onStop: () => void starter.fork('stopping a call', () => session.abort(stopReasons.byPerson)),
        // What only an editor can do, a page elsewhere does not offer.
        onAction: nothing,
        onGoBack: nothing,
        onFrame: nothing,
        onPick: nothing,
        onPlace: nothing,
        onResult: nothing,
        onBlock: nothing,
        onLooked: nothing,
        onOpenPanel: nothing,
        keep: nothing,
        copy: nothing,
      }),
    left: () => {
      left.resolve();
      left = withResolvers<void>();
    },
  });
  follow(session, store, { event: nothing, explain: () => ({}) });
  const answer = createAnswering({
    panel: { store, inbox },
    title,
    log: { error: report },
    gaveWay: 'The view of this question failed. Use this form instead.',
    asked: nothing,
    // An address is opened by whoever shows it to the person: such questions come to no page.
    *openPage() {
      return false;
    },
  });

  return {
    guests,
    *answer(ask, io) {
      yield* shown(store, ask.id);
      return yield* answer(ask, io);
    },
    missed: false,
    attended: nothing,
    *unseen(patience) {
      for (;;) {
        if (!guests.any) yield* race([guests.joined(), sleep(patience())]);
        if (!guests.any) return;
        yield* left.operation;
      }
    },
  };
}

/** Waits until a question is on show: whoever drives its call may hear of it before the pages do. */
function shown(store: PanelStore, askId: string): Operation<void> {
  return action((resolve) => {
    const stop = store.subscribe(({ askRows }) => askRows.has(askId) && resolve());
    if (store.get().askRows.has(askId)) resolve();
    return stop;
  });
}
