import { randomUUID } from 'node:crypto';
import { defined } from '../core/schema/defined.ts';
import type { Progress } from '../core/tool/context.ts';
import type { RenderedView } from '../panel-port/index.ts';
import type { ViewPort } from '../runtime/context/run-handler.ts';
import type { Inbox } from './inbox.ts';
import type { PanelStore } from './panel-store.ts';

/** Where a call asks: what its pages show, and what comes back from them. */
export interface AskSurface {
  readonly store: PanelStore;
  readonly inbox: Inbox;
}

/**
 * Where the views of one question's handler appear: the question's place for `render`, the panel's free space for `show`.
 * Each rendering has an id of its own, so that an answer to an earlier one never counts.
 */
export function createViewPort(panel: AskSurface, askId: string): ViewPort {
  const { store, inbox } = panel;
  const busy = (note?: string) =>
    store.dispatch({
      type: 'body',
      askId,
      body: { kind: 'busy', ...defined({ note }) },
    });
  return {
    *render({ key, name }, props) {
      const renderId = randomUUID();
      const body = { kind: 'view', renderId, view: { key }, props } as const;
      store.dispatch({ type: 'body', askId, body });
      const value = yield* inbox.view(renderId, name);
      busy();
      return value;
    },
    *show({ key }, props) {
      const view: RenderedView = { renderId: randomUUID(), view: { key }, props };
      store.dispatch({ type: 'shown', view });
    },
    *reportProgress(message, progress) {
      // A view that waits for the person stays where it is.
      if (store.get().question?.body.kind === 'busy') busy(noteOf(message, progress));
    },
  };
}

function noteOf(message: string, progress: Progress | undefined): string {
  const fraction =
    typeof progress === 'number' ? progress : progress?.total ? progress.value / progress.total : undefined;
  return fraction === undefined ? message : `${message} (${Math.round(fraction * 100)} %)`;
}
