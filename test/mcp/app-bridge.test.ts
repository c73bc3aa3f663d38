import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityProblems, answerable, screenshot } from '#harness';
import { LONG } from '#test/long.ts';
import { inRings } from '#test/rings.ts';
import { answerSampling } from './kit/answers.ts';
import { type BridgeHost, bridgeHost, type Manner, type Shown } from './kit/bridge-host.ts';
import { http2025 } from './kit/clients.ts';
import { bookFlight, root, type Served, serveHttp } from './kit/parley-serve.ts';

const example = (file: string) => join(root, 'examples/workspace/.parley/tools', file);

let served: Served;
let host: BridgeHost;

const askUser = join(root, 'test/mcp/kit/ask-user.ts');

const connection = (to: Served) => http2025(to) as Parameters<typeof bridgeHost>[0];

/** Calls a tool; nothing that it shows keeps anybody out, or reaches over the edge of a narrow conversation. */
async function play(name: string, input: Record<string, unknown>, manner: Manner = {}): Promise<Shown> {
  const shown = await host.call(name, input, manner);
  await looksRight();
  return shown;
}

/** In light, in dark, and in the person's own few colours. */
const LOOKS = [
  { theme: 'light', forcedColors: 'none' },
  { theme: 'dark', forcedColors: 'none' },
  { theme: 'light', forcedColors: 'active' },
] as const;
let looked = 0;

/** What is shown now; in the short form each time in another of the looks. */
async function looksRight({ page, document: shown } = host): Promise<void> {
  const frame = shown();
  await frame.locator('.app-call').waitFor();
  const turn = looked++ % LOOKS.length;
  for (const { theme, forcedColors } of LONG ? LOOKS : LOOKS.slice(turn, turn + 1)) {
    await page.emulateMedia({ forcedColors });
    await page.evaluate((next) => window.wearApp(next), theme);
    const worn = forcedColors === 'active' ? 'vscode-high-contrast' : `vscode-${theme}`;
    await frame.locator(`html[style*="color-scheme: ${theme}"] body.${worn}`).waitFor();
    // Axe takes what is transparent for white.
    await frame.evaluate(() => document.documentElement.style.setProperty('background', 'Canvas'));
    expect(await accessibilityProblems(frame), `${theme}, forced colours: ${forcedColors}`).toEqual([]);
    if (LONG) await screenshot(page, `app-bridge-${looked}-${worn}`);
  }
  await page.emulateMedia({ forcedColors: 'none' });
  const { scroll, client } = await frame.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(client);
  const over = await frame.evaluate(() => {
    const [card] = document.querySelectorAll('.card');
    const edge = card?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY;
    return [...(card?.querySelectorAll('*') ?? [])]
      .filter((one) => one.getBoundingClientRect().right > edge)
      .map((one) => one.className);
  });
  expect(over, 'reaches over the edge of its card').toEqual([]);
}

/** Goes to a control as somebody does who has no mouse, and presses a key there. */
async function reach(name: RegExp, key: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await host.page.keyboard.press('Tab');
    const at = await host.document().evaluate(() => {
      const { activeElement: active } = document;
      // Nothing has the keyboard; its text is all that is on the page.
      if (active === document.body) return '';
      const label =
        active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : active?.textContent;
      return active?.getAttribute('aria-label') ?? label ?? '';
    });
    if (!name.test(at)) continue;
    await host.page.keyboard.press(key);
    return;
  }
  throw new Error(`no Tab leads to ${name}`);
}

const press = (shown: Shown, name: string | RegExp) =>
  shown.app.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();

describe.each(
  inRings<[string, 'bridge' | 'renderer', boolean]>(
    [['an AppBridge', 'bridge', true]],
    [['the AppRenderer of @mcp-ui/client', 'renderer', LONG]],
  ),
)('pages of parley serve in %s', (_, kind, whole) => {
  beforeAll(async () => {
    served = await serveHttp(
      [
        bookFlight,
        example('pick-card/plugin.ts'),
        example('tictactoe/plugin.ts'),
        example('field-kinds.ts'),
        askUser,
      ],
      '--page-wait',
      '60',
    );
    host = await bridgeHost(
      connection(served),
      (params) => {
        // Its model takes the first free cell, and has one sentence for everything else.
        const [tool] = params.tools ?? [];
        if (!tool) return answerSampling();
        const { cell } = tool.inputSchema.properties as { cell: { enum: string[] } };
        const content = { type: 'tool_use', id: 'move', name: tool.name, input: { cell: cell.enum[0] } };
        return { role: 'assistant', model: 'scripted', stopReason: 'toolUse', content: [content] };
      },
      kind,
    );
  });
  afterAll(async () => {
    await host.close();
    expect(await served.stop()).toBe(0);
  });

  if (whole) {
    it('book a flight on the views of the tool', async () => {
      const shown = await play('book_flight', { from: 'Amsterdam', destination: 'Lisbon' });
      await shown.app.getByRole('radio').first().waitFor();
      await reach(/[A-Z]{2} \d{3}/, 'Space');
      await reach(/^Choose [A-Z]{2} \d{3}$/, 'Enter');
      await shown.app
        .getByRole('button', { name: /, available$/ })
        .first()
        .waitFor();
      await reach(/, available$/, 'Enter');
      const id = await shown.app.locator('[data-seat][aria-pressed=true]').getAttribute('data-seat');
      await looksRight();
      await reach(new RegExp(`^Choose seat ${id}$`), 'Enter');
      expect((await shown.result).structuredContent).toMatchObject({ status: 'booked', seat: id });
      await shown.app.getByText('PAR-').first().waitFor();
      await looksRight();
    });

    it('turn over a card, in the dark', { tags: 'long' }, async () => {
      const shown = await play('pick_card', { cards: 5 }, { theme: 'dark' });
      await reach(/Card 1/, 'ArrowRight');
      await host.page.keyboard.press('ArrowRight');
      await host.page.keyboard.press('Space');
      await reach(/^Turn over card 3$/, 'Enter');
      expect((await shown.result).structuredContent).toMatchObject({
        card: expect.stringContaining(' of '),
        fortune: 'Take the yellow tram before nine.',
      });
      await shown.app.getByRole('img', { name: / of / }).waitFor();
      await looksRight();
    });

    it('play a whole game by keyboard, and keep the last position in sight', { tags: 'long' }, async () => {
      const shown = await play('tictactoe', { first: 'user' });
      for (const [turn, cell] of ['a1', 'c1', 'b2', 'a3'].entries()) {
        if (turn > 0) await shown.app.getByRole('heading', { name: `Question ${turn + 1}` }).waitFor();
        await answerable(shown.app, `${cell}, empty`).focus();
        await host.page.keyboard.press('Enter');
      }
      expect((await shown.result).structuredContent).toMatchObject({ outcome: 'user_won' });
      await shown.app.getByText('You won', { exact: true }).waitFor();
      await shown.app.getByRole('button', { name: 'a3, X' }).waitFor();
      // Forced colours take grounds away: the winning line is outlined then.
      await host.page.emulateMedia({ forcedColors: 'active' });
      const lineOf = (cell: string) =>
        shown.app
          .getByRole('button', { name: cell })
          .evaluate((button) => getComputedStyle(button).outlineStyle);
      await expect.poll(() => lineOf('a3, X')).toBe('solid');
      expect(await lineOf('b1, O')).toBe('none');
      await looksRight();
    });

    it('take every kind of field by keyboard, and say where something is wrong', {
      tags: 'long',
    }, async () => {
      const shown = await play('field_kinds', {});
      const { keyboard } = host.page;
      const field = (name: string) => shown.app.getByRole('textbox', { name }).first();
      await field('Name').focus();
      await keyboard.press('Control+Enter');
      await shown.app.locator('.field-error').first().waitFor();
      await looksRight();
      await field('Name').focus();
      await keyboard.type('Ada Lovelace');
      await field('Email').focus();
      await keyboard.type('ada@example.com');
      await shown.app.getByRole('radio', { name: 'medium' }).focus();
      await keyboard.press('Space');
      await shown.app.getByRole('checkbox', { name: 'tue' }).focus();
      await keyboard.press('Space');
      await keyboard.press('Control+Enter');
      expect((await shown.result).content).toMatchObject([
        { text: expect.stringMatching(/"name":"Ada Lovelace".*"size":"medium".*"days":\["tue"\]/) },
      ]);
    });

    it('have the ways to say no', async () => {
      const declined = await host.call('field_kinds', {});
      await press(declined, 'Decline');
      expect((await declined.result).content).toMatchObject([{ text: '{"answer":"decline"}' }]);
      const cancelled = await host.call('field_kinds', {});
      await press(cancelled, 'Cancel');
      expect((await cancelled.result).content).toMatchObject([{ text: '{"answer":"cancel"}' }]);
    });
  }

  it('ask what a model wants to know', async () => {
    const shown = await play('ask_user', question);
    await reach(/red/, 'ArrowDown');
    await reach(/^Submit/, 'Enter');
    expect((await shown.result).structuredContent).toEqual({
      status: 'answered',
      answers: { color: 'blue' },
    });
    expect(host.told).toEqual([]);
  });

  it('of a conversation that is opened again show how their own call ended', async () => {
    const first = await host.call('ask_user', question);
    await first.app.getByText('red', { exact: true }).click();
    await press(first, /^Submit/);
    const result = await first.result;
    // In another conversation the same is asked, and waits.
    const waits = await host.call('ask_user', question);
    await waits.app.getByText('Which color shall the door have?').first().waitFor();

    const old = await host.again('ask_user', question, result);
    await old.locator('.stage-result').getByText('red', { exact: true }).waitFor();
    expect(await old.getByRole('button', { name: /Submit|Open in Editor/ }).count()).toBe(0);
    expect(await old.getByText('Which color shall the door have?').count()).toBe(0);

    const app = await host.again('ask_user', question);
    await app.getByText('blue', { exact: true }).click();
    await press({ ...waits, app }, /^Submit/);
    expect((await waits.result).structuredContent).toMatchObject({ answers: { color: 'blue' } });
  });

  it('ask after their call was answered, where the host tells them so late, and tell the model', async () => {
    const other = await serveHttp([askUser], '--page-wait', '0');
    onTestFinished(async () => expect(await other.stop()).toBe(0));
    const late = await bridgeHost(connection(other), answerSampling, kind);
    onTestFinished(() => late.close());
    const shown = await late.call('ask_user', question, { late: true });
    expect((await shown.result).content).toMatchObject([{ text: expect.stringContaining('end your turn') }]);
    await shown.app.getByText('blue', { exact: true }).click();
    await press(shown, /^Submit/);
    await expect.poll(() => late.told.map(({ method }) => method)).toEqual(['context', 'message']);
    expect(late.told[0]?.params).toMatchObject({
      structuredContent: { status: 'answered', answers: { color: 'blue' } },
    });
    await looksRight(late);
  });
});

const question = {
  message: 'Which color shall the door have?',
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
};
