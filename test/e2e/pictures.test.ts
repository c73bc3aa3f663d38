import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { repoRoot, runCommand, switchTheme, type ThemeKind, type Workbench } from '../harness/index.ts';
import { test } from './fixture.ts';
import * as panels from './panel.ts';

const folder = join(repoRoot, 'docs', 'images');

// Only on demand (see vitest.config.ts): pictures differ a little from machine to machine.
describe('pictures for the documentation', () => {
  for (const theme of ['light', 'dark', 'high-contrast'] as const)
    test(`of a booking and a form, ${theme}`, async ({ page, workbench }) => {
      await switchTheme(workbench, theme);
      const panel = await panels.runTool(page, 'Book a flight');
      await panels.field(panel, 'From').waitFor();
      await take(workbench, 'parameters', theme);
      await panels.fillRoute(page, panel, 'AMS', 'LIS');
      await panels.flights(panel).first().check({ force: true });
      await take(workbench, 'flights', theme);
      await panels.takeFirstFlight(page, panel);
      const seat = panel.getByRole('button', { name: /, available$/ }).nth(3);
      await seat.click();
      await take(workbench, 'seats', theme);
      await panel.getByRole('button', { name: /^Choose seat/ }).click();
      await panels.resultOf(panel);
      await take(workbench, 'ticket', theme);
      await runCommand(page, 'View: Close All Editors');
      const form = await panels.runTool(page, 'Show every kind of field');
      await panels.button(form, 'Submit').click();
      await form.locator('.field-error').first().waitFor();
      await take(workbench, 'form', theme);
      await panels.button(form, 'Cancel').click();
      await panels.resultOf(form);
    });
});

async function take({ page }: Workbench, name: string, theme: ThemeKind): Promise<void> {
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}-${theme}.png`), animations: 'disabled' });
}
