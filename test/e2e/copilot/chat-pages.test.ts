import type { Frame, Page } from 'playwright-core';
import { describe } from 'vitest';
import { webviewFrame } from '#harness';
import { expect, test } from '../fixture.ts';
import { askAgent, startMcpServer, useAgent } from './agent.ts';

/** The page of a call in the chat, once it shows this text. */
const pageInChat = (page: Page, text: string): Promise<Frame> =>
  webviewFrame(page, { selector: `.app-call:has-text("${text}")`, timeout: 60_000 });

/** Presses by script: to click, Playwright would scroll the page of the chat under the chat's own header. */
const press = (frame: Frame, name: string | RegExp) =>
  frame.getByRole('button', { name }).evaluate((button: HTMLElement) => button.click());

describe('questions in the chat', () => {
  test('book_flight is answered to its end on its own views, and no panel opens', async ({
    page,
    workbench,
  }) => {
    await useAgent(workbench);
    await workbench.updateSettings({ 'parley.questions.agent': 'chat' });
    await expect.poll(() => startMcpServer(workbench), { timeout: 60_000 }).toContain('mcp_parley_ask_user');
    const answer = askAgent(workbench, 'Book me a flight from AMS to LIS');

    const flights = await pageInChat(page, 'Choose a flight');
    await flights
      .getByRole('radio')
      .first()
      .evaluate((radio: HTMLElement) => radio.click());
    await press(flights, /^Choose [A-Z]{2} \d{3}$/);
    const seats = await pageInChat(page, 'seat');
    const seat = seats.getByRole('button', { name: /, available$/ }).first();
    const id = await seat.getAttribute('data-seat');
    await seat.evaluate((button: HTMLElement) => button.click());
    await press(seats, `Choose seat ${id}`);

    const { text } = await answer;
    expect(text).toMatch(/PAR-[A-Z2-9]{6}/);
    expect(await page.locator('.tab', { hasText: 'Book a flight' }).count()).toBe(0);
  });
});
