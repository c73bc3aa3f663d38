import { describe } from 'vitest';
import { type Workbench, webviewFrame } from '#harness';
import { shippedTools } from '#src/tools/definitions.ts';
import { expect, reloadWindow, test } from '../fixture.ts';
import { submit } from '../panel.ts';
import { type AgentAnswer, askAgent, useAgent } from './agent.ts';
import { askIn, askInPanel, pageInChat, pick, press, willCall } from './chat-page.ts';
import { keptConversation, openAgain, shownConversation } from './kept-conversation.ts';

const colorOf = (thing: string) => ({
  message: `Which color shall the ${thing} have?`,
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
});

/** Has the agent ask for the color of a thing, in the conversation that was used last. */
async function paint(workbench: Workbench, thing: string, said = `Paint the ${thing}.`) {
  await willCall(workbench, 'ask_user', colorOf(thing));
  const answer = askAgent(workbench, said);
  // One that fails before anybody waits for it fails its test where it is waited for.
  answer.catch(() => {});
  return { answer };
}

const result = async ({ answer }: { answer: Promise<AgentAnswer> }) =>
  (await answer).calls.map((call) => call.result).at(-1);
const answered = (color: string) => JSON.stringify({ status: 'answered', answers: { color } });

type ChatPage = Awaited<ReturnType<typeof pageInChat>>;

async function choose(chat: ChatPage, color: string): Promise<void> {
  await pick(chat, color);
  await press(chat, /^Submit/);
}

/** Waits until a conversation is written down with its page, and in Parley's own storage which call that belongs to. */
const writtenDown = (workbench: Workbench, said: string) =>
  keptConversation(workbench, said, (text, parley) => {
    const hostCall = /"toolCallId":"([^"]+)"/.exec(text)?.[1];
    return text.includes('ui://parley/') && hostCall !== undefined && parley.includes(hostCall);
  });

describe('conversations with the agent', () => {
  // One window for all tests: the others find it as it was.
  test.afterEach(async ({ workbench }) => {
    await askInPanel(workbench);
  });

  test('that ask at once are each answered for themselves, also where two ask the same', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await askIn(workbench, 'chat');
    const first = await paint(workbench, 'door');
    const door = await pageInChat(page, 'Which color shall the door have?');

    await workbench.bridge.execute('workbench.action.openChat');
    await page.locator('.editor-instance .interactive-session :focus').waitFor();
    const second = await paint(workbench, 'fence');
    const fence = await pageInChat(page, 'Which color shall the fence have?');
    // By keyboard, in the chat as everywhere.
    await fence.getByRole('radio', { name: 'red' }).focus();
    await page.keyboard.press('ArrowDown');
    await submit(fence);
    expect(await result(second)).toBe(answered('blue'));
    expect(await door.locator('.stage-question').count()).toBe(1);
    expect(await page.locator('.tab', { hasText: 'Ask the User' }).count()).toBe(0);

    const third = await paint(workbench, 'door', 'Paint that door, too.');
    const selector = '.app-call:has-text("Which color shall the door have?")';
    await choose(await webviewFrame(page, { selector, except: [door], timeout: 60_000 }), 'blue');
    expect(await result(third)).toBe(answered('blue'));
    expect(await page.locator('.tab', { hasText: 'Ask the User' }).count()).toBe(0);
    expect(await door.locator('.stage-question').count()).toBe(1);
    await choose(door, 'red');
    expect(await result(first)).toBe(answered('red'));
  });

  test('show their question when they are back in sight, and their end when opened again', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    const { bridge } = workbench;
    const gate = 'Which color shall the gate have?';
    const end = { selector: '.app-call .stage-result:has-text("red")', timeout: 60_000 };
    await askIn(workbench, 'chat');
    const first = await paint(workbench, 'gate');
    const drawn = await pageInChat(page, gate);
    const conversation = await shownConversation(workbench);
    await pick(drawn, 'blue');
    expect(await drawn.getByRole('radio', { name: 'blue' }).isChecked()).toBe(true);
    await bridge.execute('workbench.action.closeAuxiliaryBar');
    await expect.poll(() => drawn.isDetached()).toBe(true);
    await bridge.execute('workbench.action.chat.open');
    const shown = await pageInChat(page, gate);
    expect(await shown.getByRole('radio', { name: 'blue' }).isChecked()).toBe(true);

    await openAgain(workbench, conversation, 'Paint the gate.');
    expect(shown.isDetached()).toBe(true);
    await choose(await pageInChat(page, gate), 'red');
    expect(await result(first)).toBe(answered('red'));
    await webviewFrame(page, end);
    await bridge.execute('workbench.action.closeAuxiliaryBar');
    await bridge.execute('workbench.action.chat.open');
    await webviewFrame(page, end);

    // The same is asked elsewhere now, and waits.
    await useAgent(workbench);
    const second = await paint(workbench, 'gate', 'Now the same for the other gate.');
    await pageInChat(page, gate);
    const other = await shownConversation(workbench);
    await openAgain(workbench, conversation, 'Paint the gate.');
    const over = await webviewFrame(page, end);
    expect(await over.locator('.stage-question').count()).toBe(0);
    expect(await over.getByRole('button', { name: /Submit|Decline|Cancel/ }).count()).toBe(0);
    await openAgain(workbench, other, 'the other gate');
    await choose(await pageInChat(page, gate), 'blue');
    expect(await result(second)).toBe(answered('blue'));

    // Also where the agent's questions are asked in the panel again, and its tool is another one.
    await askInPanel(workbench);
    await openAgain(workbench, conversation, 'Paint the gate.');
    await webviewFrame(page, end);
  });

  test('show an open question again after a reload, and then how its call ended', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await askIn(workbench, 'chat');
    await paint(workbench, 'shed');
    await pageInChat(page, 'Which color shall the shed have?');
    await writtenDown(workbench, 'Paint the shed.');
    await reloadWindow(workbench);
    // VS Code shows the conversation again that was shown last.
    const chat = await pageInChat(page, 'Which color shall the shed have?');
    await chat.getByText('is no longer connected').waitFor();
    await choose(chat, 'blue');
    await chat.locator('.stage-result', { hasText: 'blue' }).waitFor();
    expect(await page.locator('.tab', { hasText: 'Ask the User' }).count()).toBe(0);
  });

  test('offer the model each shipped tool once, wherever its questions are asked', {
    tags: 'long',
  }, async ({ workbench }) => {
    const { bridge } = workbench;
    const shipped = shippedTools.map(({ name }) => name);
    const plain = (name: string) => name.replace('mcp_parley_', '');
    /** What was wrong with an offer, however soon another one came. */
    const wrong: string[] = [];
    /** The shipped tools in what the model is asked next, each as often as it is there. */
    const offered = async (): Promise<string[]> => {
      await bridge.execute('parleyDemo.reset');
      await askAgent(workbench, 'Hello.');
      const requests = (await bridge.execute('parleyDemo.requests')) as { tools: { name: string }[] }[];
      // The others are about titles and the like.
      const names = requests.find(({ tools }) => tools.length > 0)?.tools.map(({ name }) => name) ?? [];
      // What answers for a person is for pages alone.
      wrong.push(...names.filter((name) => name.includes('parley_page')));
      const found = names.filter((name) => shipped.includes(plain(name))).sort();
      // Also while VS Code has heard of a change here and not there: neither, perhaps, but never both.
      if (new Set(found.map(plain)).size !== found.length) wrong.push(found.join());
      return found;
    };
    await useAgent(workbench);
    for (const place of ['panel', 'chat', 'both', 'panel'] as const) {
      await workbench.updateSettings({ 'parley.questions.agent': place });
      const names = shipped.map((name) => (place === 'panel' ? name : `mcp_parley_${name}`)).sort();
      // VS Code hears of the change in its own time.
      await expect.poll(offered, { message: place }).toEqual(names);
    }
    expect(wrong).toEqual([]);
  });
});
