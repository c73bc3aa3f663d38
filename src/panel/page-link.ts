import { type Operation, resource, sleep, spawn, type WithResolvers, withResolvers } from 'effection';
import { focus, patch, snapshot, type ToPage } from '../panel-port/index.ts';
import { patchOf, snapshotOf } from './model/snapshot.ts';
import type { PanelState } from './model/state.ts';
import type { PanelStore } from './panel-store.ts';

/** Milliseconds between posts, a frame: ten thousand logs are a few posts, and nobody sees a delay. */
const pace = 16;

/** Keeps a page in step with a panel's state. */
export interface PageLink {
  /** The page is there and has nothing, or has lost step: it gets a snapshot at once. */
  ready(): void;
  /** Posts at once what has changed. */
  flush(): void;
  /** The page is hidden, and with that gone: nothing is posted until the next `ready`. */
  hidden(): void;
  /**
   * The person called for the panel: the page takes the keyboard. A page that is not there yet does not take it later,
   * when the person may be elsewhere; VS Code gives it to the panel it opens, and the page then to its first field.
   */
  focus(): void;
}

/** What a {@link PageLink} needs. */
export interface PageLinkOptions {
  readonly store: PanelStore;
  post(message: ToPage): void;
  now(): number;
}

/** A resource: posts a snapshot when the page is ready, and patches from then on. */
export function usePageLink({ store, post, now }: PageLinkOptions): Operation<PageLink> {
  return resource(function* (provide) {
    let version = 0;
    let sent: PanelState | undefined;
    let dirty: WithResolvers<void> = withResolvers<void>();

    const flush = (): void => {
      if (!sent) return;
      const change = patchOf(sent, store.get(), version, now());
      if (!change) return;
      sent = store.get();
      version = change.version;
      post(patch(change));
    };
    const unsubscribe = store.subscribe(() => dirty.resolve());
    yield* spawn(function* () {
      for (;;) {
        yield* dirty.operation;
        dirty = withResolvers<void>();
        flush();
        yield* sleep(pace);
      }
    });

    try {
      yield* provide({
        ready() {
          version += 1;
          sent = store.get();
          post(snapshot(snapshotOf(sent, version, now())));
        },
        flush,
        hidden() {
          sent = undefined;
        },
        focus() {
          if (sent) post(focus({}));
        },
      });
    } finally {
      unsubscribe();
    }
  });
}
