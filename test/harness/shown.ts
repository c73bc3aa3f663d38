import type { Frame, Page } from 'playwright-core';
import { within } from './within.ts';

/** Where a person would look, by name. */
const PLACES = {
  tabs: '.tab',
  notices: '.notification-list-item',
  dialog: '.monaco-dialog-box',
  list: '.quick-input-widget',
  chat: '.interactive-session',
};

/** How much of each place is told, in characters. */
const MOST = 500;

/** A page that does not answer is not waited for, in milliseconds. */
const PATIENCE = 2_000;

/** What a window shows, and what in it has the keyboard: for who has a failure's words and not its picture. */
export async function shownIn(page: Page): Promise<string> {
  const places = look(page, (selectors) =>
    Object.entries(selectors).map(([name, selector]) => {
      const seen = [...document.querySelectorAll<HTMLElement>(selector)].filter((one) =>
        one.checkVisibility(),
      );
      return [name, seen.map((one) => one.innerText).join(' | ')] as const;
    }),
  );
  const [texts, ...frames] = await Promise.all([places, ...page.frames().map(ofFrame)]);
  const panels = frames.flatMap(({ text }) => (text === undefined ? [] : [['panel', text] as const]));
  const keyboard = frames.flatMap(({ keyboard: has }) => (has === undefined ? [] : [has])).join();
  return [...(texts ?? [['window', 'does not answer']]), ...panels, ['keyboard', keyboard]]
    .map(([name, text = '']) => `${name}: ${shortened(name, text.replaceAll(/\s+/g, ' ').trim())}`)
    .join('\n');
}

/** Of a conversation its end: of all else how it begins. */
function shortened(name: string, text: string): string {
  return name === 'chat' ? text.slice(-MOST) : text.slice(0, MOST);
}

/** What a webview shows, one that is hidden too, and which of a frame's elements has the keyboard. */
async function ofFrame(frame: Frame): Promise<{ readonly text?: string; readonly keyboard?: string }> {
  const isPanel = frame.url().includes('/webview/browser/pre/fake.html');
  const seen = await look(frame, () => {
    const { activeElement: has, body, title } = document;
    const isHere = document.hasFocus() && has !== null && has.tagName !== 'IFRAME';
    const label =
      has instanceof HTMLInputElement || has instanceof HTMLTextAreaElement ? has.labels?.[0] : null;
    const name = has?.getAttribute('aria-label') ?? (label ?? has)?.textContent?.trim().slice(0, 60) ?? '';
    const classes = [...(has?.classList ?? [])].map((one) => `.${one}`).join('');
    const inside = title === '' ? '' : ` in “${title}”`;
    const keyboard = isHere ? `${has.tagName.toLowerCase()}${classes} “${name}”${inside}` : '';
    return { text: body?.innerText ?? '', keyboard };
  });
  if (!seen) return isPanel ? { text: 'does not answer' } : {};
  return { ...(isPanel && { text: seen.text }), ...(seen.keyboard !== '' && { keyboard: seen.keyboard }) };
}

/** What a function finds in a document; nothing of one that goes away or does not answer. */
function look<R>(where: Page | Frame, find: (places: typeof PLACES) => R): Promise<R | undefined> {
  // Evaluated, a function of one argument is of two types.
  const found = where.evaluate(find as (places: typeof PLACES) => unknown, PLACES) as Promise<R>;
  return within(PATIENCE, 'answer', found).catch(() => undefined);
}
