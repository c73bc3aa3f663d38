import { setTimeout as delay } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';

/** Which of the page's webviews. */
export interface WebviewQuery {
  /** The panel's or view's title, whole. */
  readonly title?: string;
  /** Something that only the wanted webview contains. */
  readonly selector?: string;
  /** None of these: a new panel is meant, and one of the same title may be there already. */
  readonly except?: readonly Frame[];
  /** Also one that is behind another tab (retained, but hidden). */
  readonly hidden?: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * The frame with a webview's own document: VS Code nests it two iframes deep. A webview that was hidden and shown
 * again has a new one; ask again then.
 * @throws Error that lists the webviews that are there
 */
export async function webviewFrame(page: Page, query: WebviewQuery = {}): Promise<Frame> {
  const deadline = Date.now() + (query.timeout ?? 30_000);
  for (;;) {
    for (const frame of page.frames()) {
      if (!query.except?.includes(frame) && (await matches(frame, query))) return frame;
    }
    if (Date.now() > deadline) {
      const there = (await Promise.all(page.frames().map(titleOf))).filter((title) => title !== undefined);
      throw new Error(`No webview ${JSON.stringify(query)}. There are: ${JSON.stringify(there)}`);
    }
    await delay(100);
  }
}

async function matches(frame: Frame, query: WebviewQuery): Promise<boolean> {
  const title = await titleOf(frame);
  if (title === undefined) return false;
  if (query.title !== undefined && title !== query.title) return false;
  try {
    const outer = await frame.parentFrame()?.frameElement();
    if (query.hidden !== true && (await outer?.isVisible()) !== true) return false;
    return query.selector === undefined || (await frame.locator(query.selector).count()) > 0;
  } catch {
    return false; // it went away while it was being looked at
  }
}

/** The title of a webview's document frame; undefined for any other frame. */
async function titleOf(frame: Frame): Promise<string | undefined> {
  try {
    if (!frame.url().includes('/webview/browser/pre/fake.html')) return undefined;
    const element = await frame.frameElement();
    if ((await element.getAttribute('id')) !== 'active-frame') return undefined;
    return (await element.getAttribute('title')) ?? '';
  } catch {
    return undefined;
  }
}
