import { type Operation, race, sleep } from 'effection';
import type { Event } from 'vscode';
import { nextOf } from '../../bridge.ts';

/** A page, as far as it is watched. */
export interface WatchedPage {
  readonly visible: boolean;
  readonly onMessage: Event<unknown>;
  readonly onVisible: Event<unknown>;
  /** Loads it anew. */
  load(): void;
}

/** How long a page in sight may say nothing before it is loaded again, in milliseconds: each time longer, where cores are slow. */
const PATIENCE = [15_000, 30_000, 60_000];

/**
 * Loads a page again that says nothing while the person looks at it. VS Code fetches the scripts of a page by way of a service worker;
 * where that gives up, as it may on a busy machine, the page stays empty for good.
 */
export function* watchPage(page: WatchedPage): Operation<never> {
  for (;;) {
    if (!page.visible) yield* nextOf(page.onVisible, () => page.visible);
    yield* untilItSpeaks(page);
    // Hidden, it goes; shown again, another one is loaded.
    if (page.visible) yield* nextOf(page.onVisible, () => !page.visible);
  }
}

function* untilItSpeaks(page: WatchedPage): Operation<void> {
  for (const patience of PATIENCE) {
    const silent = yield* race([
      is(false, nextOf(page.onMessage)),
      is(
        false,
        nextOf(page.onVisible, () => !page.visible),
      ),
      is(true, sleep(patience)),
    ]);
    if (!silent) return;
    page.load();
  }
}

function* is<T>(value: T, after: Operation<unknown>): Operation<T> {
  yield* after;
  return value;
}
