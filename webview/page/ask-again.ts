import { ready } from '../../src/panel-port/index.ts';
import type { Page } from './page.ts';

/** Milliseconds until a page that shows nothing asks again. */
const PATIENCE = 3_000;

/** Asks for the snapshot until it is there: on a busy machine the editor may lose the first request, or its answer. */
export function askAgain(page: Pick<Page, 'state' | 'subscribe' | 'post'>): void {
  const timer = setInterval(() => page.post(ready({})), PATIENCE);
  const unsubscribe = page.subscribe(() => {
    if (!page.state().snapshot) return;
    clearInterval(timer);
    unsubscribe();
  });
}
