import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { accessibilityProblems, answerable } from '#harness';
import { LONG } from '#test/long.ts';
import { type Inspector, openInspector } from './kit/inspector.ts';
import { bookFlight, root } from './kit/parley-serve.ts';
import { completion, type ScriptedModel, scriptedModel } from './kit/scripted-model.ts';

const example = (file: string) => join(root, 'examples/workspace/.parley/tools', file);
const kit = (file: string) => join(root, 'test/mcp/kit', file);

let inspector: Inspector;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await inspector?.close();
  await model?.close();
  model = undefined;
});

async function press(name: string | RegExp): Promise<void> {
  const exact = typeof name === 'string';
  await inspector.app.getByRole('button', { name, ...(exact ? { exact } : {}) }).press('Enter');
}

/** What the person at the Inspector, who stands in for the model there, writes. */
async function say(text: string): Promise<void> {
  const dialog = inspector.page.getByRole('dialog', { name: /^Sampling Request/ });
  await dialog.getByRole('textbox', { name: 'Response' }).fill(text);
  await dialog.getByRole('button', { name: 'Send Response' }).click();
}

/** Nothing in the page keeps anybody out. */
async function looksRight(): Promise<void> {
  const frame = inspector.page.frames().at(-1);
  if (!frame) throw new Error('there is no page');
  await frame.evaluate(() => document.documentElement.style.setProperty('background', 'Canvas'));
  expect(await accessibilityProblems(frame)).toEqual([]);
}

async function bookAFlight(): Promise<void> {
  await inspector.call('Apps', 'Book a flight', { from: 'Amsterdam', destination: 'Lisbon' });
  await inspector.app.getByRole('radio').first().press('Space');
  await press(/^Choose [A-Z]{2} \d{3}$/);
  const seat = inspector.app.getByRole('button', { name: /, available$/ }).first();
  const id = await seat.getAttribute('data-seat');
  await seat.press('Enter');
  await looksRight();
  await press(`Choose seat ${id}`);
  await say('Take the yellow tram.');
  await inspector.app.getByRole('cell', { name: id ?? '', exact: true }).waitFor();
  await inspector.app.getByRole('cell', { name: 'Take the yellow tram.' }).waitFor();
}

describe('the MCP Inspector', { timeout: 600_000 }, () => {
  it('shows a page, asks where it shows none, and opens pages that a tool names', {
    tags: 'long',
  }, async () => {
    inspector = await openInspector('legacy', [bookFlight, example('field-kinds.ts'), kit('log-in.ts')]);
    await bookAFlight();

    const { page } = inspector;
    const dialog = page.getByRole('dialog', { name: 'Elicitation Request' });
    await inspector.call('Tools', 'field_kinds', {});
    await dialog.getByText('Fill in one field of every kind').waitFor();
    await dialog.getByRole('button', { name: 'Decline' }).press('Enter');
    await page
      .getByText(/"answer": ?"decline"/)
      .first()
      .waitFor();

    const url = 'http://127.0.0.1:1/login';
    await inspector.call('Tools', 'log_in', { url });
    await dialog.getByText(url).waitFor();
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Open in Browser' }).press('Enter');
    await (await opened).close();
    await dialog.getByRole('button', { name: /completed/ }).press('Enter');
    await page.getByText('went there').first().waitFor();
  });

  const eras = LONG ? (['legacy', 'modern'] as const) : [];
  it.each(eras)('plays every tool that asks to its end, in its %s era', async (era) => {
    model = await scriptedModel(({ body }) => {
      // It takes the first free cell.
      const { name, parameters } = body.tools[0].function;
      const call = { name, arguments: JSON.stringify({ cell: parameters.properties.cell.enum[0] }) };
      return completion({ content: null, tool_calls: [{ id: 'move', type: 'function', function: call }] });
    });
    inspector = await openInspector(era, [
      bookFlight,
      example('pick-card/plugin.ts'),
      example('tictactoe/plugin.ts'),
      example('field-kinds.ts'),
      kit('ask-user.ts'),
      '--model',
      model.url,
      '--model-name',
      'scripted',
    ]);
    const { app, page } = inspector;
    await bookAFlight();

    await inspector.call('Apps', 'Pick a card', { cards: 4 });
    await app.getByRole('radio', { name: 'Card 3' }).press('Space');
    await press('Turn over card 3');
    await say('You will travel.');
    await say('You will stay.');
    await app.getByRole('region', { name: 'Result' }).getByRole('img', { name: / of / }).waitFor();
    await looksRight();

    await inspector.call('Apps', 'Tic-tac-toe', { first: 'user' });
    for (const [turn, cell] of ['a1', 'c1', 'b2', 'a3'].entries()) {
      if (turn > 0) await app.getByRole('heading', { name: `Question ${turn + 1}` }).waitFor();
      await answerable(app, `${cell}, empty`).press('Enter');
    }
    await app.getByText('You won', { exact: true }).waitFor();
    await looksRight();

    const fields = [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }];
    await inspector.call('Apps', 'Ask the User', { message: 'Which color?', fields });
    await app.getByRole('radio', { name: 'blue' }).press('Space');
    await press(/^Submit/);
    await app.getByText('“Ask the User” is done.').waitFor();

    for (const way of ['Decline', 'Cancel']) {
      await inspector.call('Apps', 'Show every kind of field', {});
      await press(way);
      await app.getByRole('cell', { name: way.toLowerCase(), exact: true }).waitFor();
      // What is open is not opened again.
      await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).press('Enter');
    }
  });
});
