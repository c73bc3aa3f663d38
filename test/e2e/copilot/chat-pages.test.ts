import type { Locator } from 'playwright-core';
import { describe } from 'vitest';
import { answerable, webviewFrame } from '#harness';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { problemsIn, textOf } from '../problems.ts';
import { openRepository } from '../repository.ts';
import { askAgent, startMcpServer } from './agent.ts';
import { askIn, askInPanel, looksRight, pageInChat, pick, press, refusedBy, willCall } from './chat-page.ts';

describe('questions in the chat', () => {
  // One window for all tests: the others find it as it was.
  test.afterEach(async ({ workbench }) => {
    await workbench.updateSettings({ 'workbench.colorTheme': undefined });
    await askInPanel(workbench);
  });

  test('book_flight is answered to its end on its own views, and no panel opens', async ({
    page,
    workbench,
  }) => {
    // The tools are known already, without pages.
    await startMcpServer(workbench);
    await askIn(workbench, 'chat');
    const answer = askAgent(workbench, 'Book me a flight from AMS to LIS');

    const flights = await pageInChat(page, 'Found');
    expect(await refusedBy(flights)).toBe('connect-src');
    await looksRight(workbench, flights, 'the flights');
    await pick(flights, /./);
    await press(flights, /^Choose [A-Z]{2} \d{3}$/);
    const seats = await pageInChat(page, 'seat');
    const seat = seats.getByRole('button', { name: /, available$/ }).first();
    const id = await seat.getAttribute('data-seat');
    await seat.press('Enter');
    await looksRight(workbench, seats, 'the seats');
    await press(seats, `Choose seat ${id}`);

    const { text } = await answer;
    expect(text).toMatch(/PAR-[A-Z2-9]{6}/);
    expect(await page.locator('.tab', { hasText: 'Book a flight' }).count()).toBe(0);
  });

  test('what is answered in the chat is answered in the panel, too', async ({ page, workbench }) => {
    await askIn(workbench, 'both');
    await workbench.bridge.execute('parleyDemo.script', [
      {
        toolCalls: [
          {
            name: 'mcp_parley_ask_user',
            input: {
              message: 'Which color shall the door have?',
              fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
            },
          },
        ],
      },
    ]);
    const answer = askAgent(workbench, 'Paint the door.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await panel.getByText('Which color shall the door have?').first().waitFor();
    const chat = await pageInChat(page, 'Which color shall the door have?');
    // Neither another extension nor a model answers for the person.
    const forged = await workbench.bridge.evaluate(async (api) => {
      const mine = api.lm.tools.filter(({ name }) => name.includes('parley_page'));
      const names = [...mine.map(({ name }) => name), 'mcp_parley_parley_page_send'];
      const input = { ticket: 'AAAA', messages: [{ parley: 'parley/1', name: 'stop', body: {} }] };
      const options = { input, toolInvocationToken: undefined };
      return await Promise.all(
        names.map((name) =>
          Promise.resolve(api.lm.invokeTool(name, options)).then(
            (result) => JSON.stringify(result),
            (error: unknown) => `refused: ${String(error)}`,
          ),
        ),
      );
    }, undefined);
    for (const answer of forged) expect(answer).toMatch(/refused/i);
    await looksRight(workbench, chat, 'the question');
    await pick(chat, 'blue');
    await press(chat, /^Submit/);
    // At once: nothing can be answered in the panel any more.
    await panels.status(panel, 'Done');
    expect(await panel.locator('.stage-question').count()).toBe(0);
    expect((await answer).text).toContain('"color":"blue"');
  });

  test('what is answered in the panel is closed in the chat', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await askIn(workbench, 'both');
    await willCall(workbench, 'ask_user', {
      message: 'Which color shall the fence have?',
      fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
    });
    const answer = askAgent(workbench, 'Paint the fence.');
    const panel = await panels.panelOf(page, 'Ask the User');
    await pageInChat(page, 'Which color shall the fence have?');
    await panel.getByText('red', { exact: true }).click();
    await panels.button(panel, 'Submit').click();
    const chat = await webviewFrame(page, { selector: '.app-call .stage-result', timeout: 60_000 });
    expect(await chat.locator('.stage-question').count()).toBe(0);
    expect((await answer).text).toContain('"color":"red"');
  });

  test('a card is picked, and every question can be declined and cancelled', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await askIn(workbench, 'chat');
    await willCall(workbench, 'pick_card', { cards: 3 });
    const picking = askAgent(workbench, 'Tell my fortune.');
    const cards = await pageInChat(page, 'Pick a card');
    await looksRight(workbench, cards, 'the cards');
    await pick(cards, 'Card 2');
    await press(cards, 'Turn over card 2');
    const { calls } = await picking;
    expect(calls.map(({ result }) => result).join()).toMatch(/"card":".+ of (spades|hearts|diamonds|clubs)"/);

    for (const [name, answer] of [
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
    ] as const) {
      await willCall(workbench, 'field_kinds', {});
      const filling = askAgent(workbench, `${name} this.`);
      const form = await pageInChat(page, name);
      // The chat shows its end, and the question is in sight all the same: the page scrolls in itself.
      const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0;
      const question = form.locator('.stage-message');
      const edge = await top(page.locator('.interactive-session .interactive-list'));
      await expect.poll(() => top(question)).toBeGreaterThan(edge);
      await press(form, name);
      expect((await filling).calls.map(({ result }) => result).join()).toContain(`"answer":"${answer}"`);
    }
  });

  test('a game, a form, a commit and a fix are played to their end, and a page leads to the panel', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await askIn(workbench, 'chat');
    const ask = (name: string, input: object, ...more: object[]) => willCall(workbench, name, input, ...more);

    await ask('tictactoe', { first: 'user' });
    const game = askAgent(workbench, 'Let us play.');
    const board = await pageInChat(page, 'Your move');
    await looksRight(workbench, board, 'the board');
    // The demo model always takes the first free cell.
    for (const [turn, cell] of ['a1', 'c1', 'b2', 'a3'].entries()) {
      if (turn > 0) await board.getByRole('heading', { name: `Question ${turn + 1}` }).waitFor();
      await answerable(board, `${cell}, empty`).press('Enter');
    }
    await board.getByText('You won', { exact: true }).waitFor();
    expect((await game).calls.map(({ result }) => result).join()).toContain('user_won');

    await ask('field_kinds', {});
    const filling = askAgent(workbench, 'Ask me everything.');
    const form = await pageInChat(page, 'Fill in one field of every kind');
    await looksRight(workbench, form, 'the form');
    await panels.field(form, 'Name').fill('Ada Lovelace');
    await panels.field(form, 'Email').fill('ada@example.com');
    for (const choice of ['medium', 'tue']) await pick(form, choice);
    await press(form, 'Open in Panel');
    const panel = await panels.panelOf(page, 'Show every kind of field');
    await panel.getByText('Fill in one field of every kind').first().waitFor();
    await press(form, /^Submit/);
    await panels.status(panel, 'Done');
    expect((await filling).calls.map(({ result }) => result).join()).toContain('"days":["tue"]');

    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    await ask(
      'commit_changes',
      {},
      {
        toolCalls: [{ name: '__schema__', input: { type: 'feat', summary: 'sell pears' } }],
      },
    );
    const committing = askAgent(workbench, 'Commit this.');
    const files = await pageInChat(page, 'shop.txt');
    await looksRight(workbench, files, 'the files');
    await press(files, /^Continue with 1 of 1/);
    const message = await pageInChat(page, 'Subject');
    await expect
      .poll(() => panels.field(message, 'Subject').inputValue(), { timeout: 60_000 })
      .toBe('feat: sell pears');
    await press(message, /^Commit|^Submit/);
    expect((await committing).calls.map(({ result }) => result).join()).toContain(
      'Committed shop.txt to main',
    );
    expect(await repository.git('show', '--format=%s', '--name-only')).toBe('feat: sell pears\n\nshop.txt');

    await problemsIn(workbench, { 'basket.txt': 'apples\npaers\n' });
    await ask(
      'fix_problems',
      { file: 'basket.txt' },
      {
        toolCalls: [
          { name: '__schema__', input: { edits: [{ find: 'paers', replace: 'pears', why: 'a typo' }] } },
        ],
      },
    );
    const fixing = askAgent(workbench, 'Fix this.');
    const edit = await pageInChat(page, 'Edit 1 of 1');
    await looksRight(workbench, edit, 'the edit');
    await press(edit, 'Accept');
    expect((await fixing).calls.map(({ result }) => result).join()).toContain('Applied 1 edit');
    expect(await textOf(workbench, 'basket.txt')).toBe('apples\npears\n');
  });

  test('the page hears of it when the agent is stopped', { tags: 'long' }, async ({ page, workbench }) => {
    await askIn(workbench, 'chat');
    const answer = askAgent(workbench, 'Book me a flight from AMS to LIS').catch(() => undefined);
    await pageInChat(page, 'flight');
    await workbench.bridge.execute('workbench.action.chat.cancel');
    await (await webviewFrame(page, { selector: '.app-call .stage-aborted', timeout: 60_000 }))
      .getByText('stopped', { exact: false })
      .first()
      .waitFor();
    await answer;
  });
});
