import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { runCommand } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('a panel out of sight', () => {
  test('whose question has few answers is answered in a notification, and stays closed', async ({
    page,
    workbench,
  }) => {
    const ended = workbench.bridge.execute('parley.runTool', 'ask_little');
    await panels.panelShowing(page, 'Ask little', 'Say something');
    await runCommand(page, 'View: Close Editor');
    const toast = (text: string) => page.locator('.notification-toast', { hasText: text });
    await toast('is still waiting').getByRole('button', { name: 'Cancel Question' }).click();
    const asked = toast('Ask little: Which colour?');
    await asked.getByRole('button', { name: 'Open' }).waitFor();
    await asked.getByRole('button', { name: 'Green' }).click();
    expect(await ended).toBe('Green');
    expect(await page.locator('.tab', { hasText: 'Ask little' }).count()).toBe(0);
  });

  test('closed, its question still waits with what was typed; all later ones share a notification', async ({
    page,
    workbench,
  }) => {
    const run = (name: string) => workbench.bridge.execute('parley.runTool', 'ask_twice', { name });
    const close = async (name: string) => {
      await panels.panelShowing(page, 'Ask twice', `First question for ${name}`);
      await runCommand(page, 'View: Close Editor');
      await page.locator('.tab', { hasText: 'Ask twice' }).waitFor({ state: 'detached' });
    };
    const stillWaits = page.locator('.notification-toast', { hasText: '“Ask twice” is still waiting' });

    const ends = [run('Ada')];
    const asked = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await panels.field(asked, 'Your answer').fill('half an ans');
    await close('Ada');
    await badge(page, '1');
    await stillWaits.getByRole('button', { name: 'Show' }).click();
    const again = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await expect.poll(() => panels.field(again, 'Your answer').inputValue()).toBe('half an ans');
    await close('Ada');
    await stillWaits.getByRole('button', { name: 'Cancel Question' }).click();

    ends.push(run('Bob'));
    await close('Bob');
    await stillWaits.getByRole('button', { name: 'Cancel Question' }).click();
    await badge(page, '2');
    // A toast goes away by itself after a while; the notification center keeps what it said.
    await runCommand(page, 'Notifications: Show Notifications');
    const kept = page.locator('.notifications-center .notification-list-item');
    await kept.filter({ hasText: '“Ask twice” is waiting for your answer.' }).waitFor();
    await expect.poll(() => kept.count()).toBe(1);
    await runCommand(page, 'Notifications: Clear All Notifications');

    await workbench.bridge.execute('parley.calls.focus');
    await page.locator('.monaco-list-row', { hasText: 'Second question for Ada' }).click();
    const panel = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    await panels.field(panel, 'Your answer').fill('here I am');
    await panels.submit(panel);
    expect(await ends[0]).toEqual({ first: 'cancel', second: 'here I am' });
    await badge(page, '1');

    await runCommand(page, 'Parley: Go to Waiting Question');
    const other = await panels.panelShowing(page, 'Ask twice', 'Second question for Bob');
    await panels.button(other, 'Decline').click();
    expect(await ends[1]).toEqual({ first: 'cancel', second: 'decline' });
  });
});

/** Waits for the number on Parley's icon; no other icon of the activity bar has one here. */
async function badge(page: Page, count: string): Promise<void> {
  await page.locator(`.activitybar .badge-content:text-is("${count}")`).waitFor();
}
