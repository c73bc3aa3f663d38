import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '#harness';
import { answerSampling } from './kit/answers.ts';
import { type BridgeHost, bridgeHost, type Manner, type Shown } from './kit/bridge-host.ts';
import { http2025 } from './kit/clients.ts';
import { bookFlight, root, type Served, serveHttp } from './kit/parley-serve.ts';

const example = (file: string) => join(root, 'examples/workspace/.parley/tools', file);

let served: Served;
let host: BridgeHost;

beforeAll(async () => {
  served = await serveHttp([
    bookFlight,
    example('pick-card/plugin.ts'),
    example('tictactoe/plugin.ts'),
    example('field-kinds.ts'),
    join(root, 'test/mcp/kit/ask-user.ts'),
  ]);
  host = await bridgeHost(http2025(served) as Parameters<typeof bridgeHost>[0], (params) => {
    // Its model takes the first free cell, and has one sentence for everything else.
    const [tool] = params.tools ?? [];
    if (!tool) return answerSampling();
    const { cell } = tool.inputSchema.properties as { cell: { enum: string[] } };
    const content = { type: 'tool_use', id: 'move', name: tool.name, input: { cell: cell.enum[0] } };
    return { role: 'assistant', model: 'scripted', stopReason: 'toolUse', content: [content] };
  });
});
afterAll(async () => {
  await host.close();
  expect(await served.stop()).toBe(0);
});

/** Calls a tool; nothing that it shows keeps anybody out, or reaches over the edge of a narrow conversation. */
async function play(name: string, input: Record<string, unknown>, manner: Manner = {}): Promise<Shown> {
  const shown = await host.call(name, input, manner);
  if (!manner.late) await looksRight();
  return shown;
}

async function looksRight(): Promise<void> {
  await host.page.frameLocator('iframe').locator('.app-call').waitFor();
  const frame = host.page.frames().at(-1);
  if (!frame) throw new Error('there is no page');
  // Axe takes what is transparent for white.
  await frame.evaluate(() => document.documentElement.style.setProperty('background', 'Canvas'));
  expect(await accessibilityProblems(frame)).toEqual([]);
  const { scroll, client } = await frame.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(client);
}

const press = (shown: Shown, name: string | RegExp) =>
  shown.app.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click();

describe('pages of parley serve in an AppBridge', () => {
  it('book a flight on the views of the tool', async () => {
    const shown = await play('book_flight', { from: 'Amsterdam', destination: 'Lisbon' });
    await shown.app.getByRole('radio').first().check();
    await press(shown, /^Choose [A-Z]{2} \d{3}$/);
    const seat = shown.app.getByRole('button', { name: /, available$/ }).first();
    const id = await seat.getAttribute('data-seat');
    await seat.click();
    await looksRight();
    await press(shown, `Choose seat ${id}`);
    expect((await shown.result).structuredContent).toMatchObject({ status: 'booked', seat: id });
    await shown.app.getByText('PAR-').first().waitFor();
    await looksRight();
  });

  it('turn over a card, in the dark', async () => {
    const shown = await play('pick_card', { cards: 5 }, { theme: 'dark' });
    await shown.app.getByRole('radio', { name: 'Card 3' }).check();
    await press(shown, 'Turn over card 3');
    expect((await shown.result).structuredContent).toMatchObject({
      card: expect.stringContaining(' of '),
      fortune: 'Take the yellow tram before nine.',
    });
    await shown.app.getByRole('img', { name: / of / }).waitFor();
    await looksRight();
  });

  it('play a whole game by keyboard, and keep the last position in sight', async () => {
    const shown = await play('tictactoe', { first: 'user' });
    for (const [turn, cell] of ['a1', 'c1', 'b2', 'a3'].entries()) {
      if (turn > 0) await shown.app.getByText(`Question ${turn + 1} of this call`).waitFor();
      await shown.app.getByRole('button', { name: `${cell}, empty` }).focus();
      await host.page.keyboard.press('Enter');
    }
    expect((await shown.result).structuredContent).toMatchObject({ outcome: 'user_won' });
    await shown.app.getByText('You won', { exact: true }).waitFor();
    await shown.app.getByRole('button', { name: 'a3, X' }).waitFor();
    await looksRight();
  });

  it('take every kind of field by keyboard, and say where something is wrong', async () => {
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
    const declined = await play('field_kinds', {});
    await press(declined, 'Decline');
    expect((await declined.result).content).toMatchObject([{ text: '{"answer":"decline"}' }]);
    const cancelled = await play('field_kinds', {});
    await press(cancelled, 'Cancel');
    expect((await cancelled.result).content).toMatchObject([{ text: '{"answer":"cancel"}' }]);
  });

  it('ask what a model wants to know', async () => {
    const shown = await play('ask_user', question);
    await shown.app.getByText('blue', { exact: true }).click();
    await press(shown, /^Submit/);
    expect((await shown.result).structuredContent).toEqual({
      status: 'answered',
      answers: { color: 'blue' },
    });
    expect(host.told).toEqual([]);
  });

  it('ask after their call was answered, where the host tells them of it only then, and tell the model', async () => {
    const shown = await play('ask_user', question, { late: true });
    expect((await shown.result).content).toMatchObject([{ text: expect.stringContaining('end your turn') }]);
    await shown.app.getByText('blue', { exact: true }).click();
    await press(shown, /^Submit/);
    await expect.poll(() => host.told.map(({ method }) => method)).toEqual(['context', 'message']);
    expect(host.told[0]?.params).toMatchObject({
      structuredContent: { status: 'answered', answers: { color: 'blue' } },
    });
    await looksRight();
  });
});

const question = {
  message: 'Which color shall the door have?',
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
};
