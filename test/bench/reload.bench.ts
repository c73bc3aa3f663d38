import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { Workbench } from '#harness';
import { apartRow, limitRow, type Row } from './report.ts';
import { activated, inVsCode, visible } from './window.ts';

const CALLS = 20;
const PARLEY = 'parley.parley-mcp';
const WITNESS = 'parley-bench.parley-bench-witness';

/** The browser writes down every few seconds which tabs there are, in milliseconds. */
const WRITTEN = 8_000;

/** A tab that is opened is drawn to its end before the next, as a person has it, milliseconds. */
const LOOKED_AT = 500;

// Each call waits at its second question, with an answer behind it.
const TOOL = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const text = z.object({ text: z.string() });
export const waiting = createMcpTool('bench_waiting')
  .description('Asks twice')
  .parameters(z.object({ number: z.number() }))
  .durable()
  .elicits({ first: text, second: text })
  .execute(function* ({ number }, ctx) {
    const first = yield* ctx.elicit.strict('first', { message: 'First of ' + number + '.' });
    const second = yield* ctx.elicit.strict('second', { message: 'Second of ' + number + '.' });
    return first.text + second.text;
  });
`;

/** A window with calls that wait is loaded again: when they are listed, shown, and can be answered. */
export function reloadRows(): Promise<readonly Row[]> {
  return inVsCode({ beside: ['witness', 'paragraph'], tool: TOOL }, async ({ open }) => {
    const workbench = await open();
    // The list draws only what is in sight.
    await workbench.page.setViewportSize({ width: 1400, height: 2000 });
    await begin(workbench);
    await watchList(workbench.context);
    await delay(WRITTEN);
    await workbench.reload();
    const { listed, drawn } = await listedAfter(workbench);
    const tabs: Times[] = [];
    for (let tab = 0; tab < CALLS; tab++) {
      tabs.push(await shownAfter(workbench, tab));
      await delay(LOOKED_AT);
    }
    await answerLast(workbench.page);
    const bare = await bareTimes(workbench);
    const shown = tabs.map((one) => one.shown);
    return [
      // In a browser, extensions may be active before there is a window to list anything in.
      limitRow(
        `${CALLS} waiting calls in the Calls view, after activation and the side bar`,
        [listed - Math.max(0, drawn)],
        1_000,
        'ms',
      ),
      { what: 'the side bar itself, after activation', figure: `${drawn.toFixed(0)} ms` },
      limitRow('a tab is shown: its last state', shown, 300, 'ms'),
      limitRow(
        'a tab is shown: it can be answered',
        tabs.map((one) => one.open),
        1_000,
        'ms',
      ),
      apartRow('its last state, against a webview with one paragraph in that window', shown, bare),
    ];
  });
}

/** Milliseconds since its tab was to be shown. */
interface Times {
  readonly shown: number;
  readonly open: number;
}

/** Makes the calls, and answers the first question of each. */
async function begin(workbench: Workbench): Promise<void> {
  const { bridge, page } = workbench;
  await bridge.activate(PARLEY);
  await bridge.execute('parley.calls.focus');
  for (let number = 1; number <= CALLS; number++) {
    // Ends when its call does, or the window is loaded again.
    bridge.execute('parley.runTool', 'bench_waiting', { number }).catch(() => {});
    const panel = await panelWith(page, `First of ${number}.`);
    await panel.getByRole('textbox').first().fill('one');
    await panel.getByRole('button', { name: /^Submit/ }).click();
    await panelWith(page, `Second of ${number}.`);
  }
}

/** Notes in the window when its side bar is drawn, and when all of them are listed. */
function watchList(context: BrowserContext): Promise<unknown> {
  return context.addInitScript((calls) => {
    if (window.top !== window.self) return;
    const look = setInterval(() => {
      const noted = document.documentElement?.dataset;
      if (noted && document.querySelector('.part.sidebar .pane-header'))
        noted.parleyDrawn ??= String(Date.now());
      const rows = [...document.querySelectorAll('.monaco-list-row')];
      if (rows.filter(({ textContent }) => textContent?.includes('Second of')).length < calls) return;
      clearInterval(look);
      document.documentElement.dataset.parleyListed = String(Date.now());
    }, 4);
  }, CALLS);
}

/** Milliseconds from activation until all are listed, and until the window had drawn its side bar at all. */
async function listedAfter(
  workbench: Workbench,
): Promise<{ readonly listed: number; readonly drawn: number }> {
  await activated(workbench, PARLEY, WITNESS);
  const html = workbench.page.locator('html[data-parley-listed]');
  await html.waitFor({ state: 'attached', timeout: 60_000 });
  const at = async (what: string) => Number(await html.getAttribute(`data-parley-${what}`));
  const active = await workbench.bridge.evaluate(
    (api, id) => api.extensions.getExtension<{ active: Promise<number> }>(id)?.exports.active,
    WITNESS,
  );
  return { listed: (await at('listed')) - Number(active), drawn: (await at('drawn')) - Number(active) };
}

/** Shows a tab for the first time after the reload. */
async function shownAfter({ bridge, page }: Workbench, tab: number): Promise<Times> {
  const start = performance.now();
  bridge.execute('workbench.action.openEditorAtIndex', tab).catch(() => {});
  const panel = await panelWith(page, `Second of ${tab + 1}.`);
  const shown = performance.now() - start;
  const field = panel.locator('.card [aria-busy="false"] input, .card [aria-busy="false"] textarea').first();
  while (!(await field.isEditable().catch(() => false))) await delay(4);
  return { shown, open: performance.now() - start };
}

/** How long a webview takes that shows next to nothing, opened anew and brought to the front. */
async function bareTimes({ bridge, page }: Workbench): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let n = 0; n < 9; n++) {
    const start = performance.now();
    bridge.execute('parleyBench.paragraph').catch(() => {});
    await visible(page, '#ready');
    taken.push(performance.now() - start);
    await bridge.execute('workbench.action.closeActiveEditor');
    await delay(LOOKED_AT);
  }
  return taken.slice(1);
}

/** What can be answered is answered. */
async function answerLast(page: Page): Promise<void> {
  const panel = await panelWith(page, `Second of ${CALLS}.`);
  await panel.getByRole('textbox').first().fill('two');
  await panel.getByRole('button', { name: /^Submit/ }).click();
  await panel.getByText('onetwo').first().waitFor({ timeout: 60_000 });
}

/** The webview that shows a text. */
function panelWith(page: Page, text: string) {
  return visible(page, '.stage-message', text);
}
