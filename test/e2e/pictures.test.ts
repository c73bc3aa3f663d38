import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { repoRoot, runCommand, switchTheme, type ThemeKind, type Workbench } from '#harness';
import { answers, askAgent, say, startMcpServer, useAgent } from './copilot/agent.ts';
import { test } from './fixture.ts';
import * as panels from './panel.ts';
import { openRepository } from './repository.ts';

const pages = join(repoRoot, 'docs', 'images');
/** What the pages show. All others are only looked at, and stay out of the repository. */
const shown = /^(agent|commit|parley)-light$/;
const toLookAt = join(repoRoot, 'test-results', 'pictures');

// Only on demand (see vitest.config.ts): pictures differ a little from machine to machine.
describe('pictures for the documentation', () => {
  for (const theme of ['light', 'dark', 'high-contrast'] as const)
    test(`of a booking and a form, ${theme}`, async ({ page, workbench }) => {
      await switchTheme(workbench, theme);
      const panel = await panels.runTool(page, 'Book a flight');
      await panels.field(panel, 'From').waitFor();
      await panels.fillRoute(page, panel, 'AMS', 'LIS');
      await panels.flights(panel).first().check({ force: true });
      await take(workbench, 'flights', theme);
      await panel.getByRole('button', { name: /^Choose [A-Z]{2} \d{3}$/ }).click();
      await panel.getByRole('grid').waitFor();
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
      const document =
        '# Move to SQLite\n\n1. Write the schema\n2. Move the data\n\n```sql\n-- one table\ncreate table calls (id text, at int);\n```\n';
      const reviewed = workbench.bridge.execute('parley.runTool', 'review_plan', { document });
      const plan = await panels.panelOf(page, 'Review a Plan');
      await plan.getByRole('group', { name: /^Line 1/ }).focus();
      await panels.pressIn(plan, 'ArrowDown');
      await panels.pressIn(plan, 'a');
      await take(workbench, 'plan', theme);
      await panels.button(plan, 'Approve').click();
      await reviewed;
    });

  for (const theme of ['light', 'dark'] as const) {
    test(`of a run from the palette, ${theme}`, async ({ page, workbench }) => {
      await switchTheme(workbench, theme);
      await workbench.updateSettings({ 'parley.sampling.model': 'parley-demo/demo' });
      await workbench.bridge.execute('workbench.action.closeAuxiliaryBar');
      await using repository = await openRepository(workbench);
      await repository.write('shop.txt', 'apples\npears\n');
      await repository.write('prices.txt', 'apples 1.20\npears 1.80\n');
      await repository.write('plums.txt', 'plums\n');
      await repository.git('add', 'plums.txt');
      await workbench.bridge.execute('parleyDemo.script', [
        {
          toolCalls: [{ name: '__schema__', input: { type: 'feat', scope: 'shop', summary: 'sell pears' } }],
        },
      ]);
      const panel = await panels.runTool(page, 'Commit Changes');
      await panel.getByRole('checkbox', { name: /^shop/ }).check();
      await take(workbench, 'commit', theme);
      await panels.button(panel, 'Cancel').click();
      await panels.resultOf(panel);
      await runCommand(page, 'View: Close All Editors');
      await workbench.bridge.execute('parleyDemo.reset');
      await mend(workbench, () => take(workbench, 'fix', theme));
    });

    // Once: what is allowed stays so, and the next would not be asked.
    if (theme === 'light')
      test('of a run by the agent and one by @parley', async ({ page, workbench }) => {
        await useAgent(workbench, false);
        await switchTheme(workbench, theme);
        await startMcpServer(workbench);
        // Returns as soon as the person is asked.
        await askAgent(workbench, 'Book me a flight from AMS to LIS');
        const allow = page.locator('.interactive-session').getByRole('button', { name: /^Allow/ });
        await allow.filter({ visible: true }).first().click();
        const panel = await panels.panelOf(page, 'Book a flight');
        await panels.flights(panel).nth(1).check({ force: true });
        await take(workbench, 'agent', theme);
        await panels.takeFirstFlight(panel);
        await panels.takeFirstSeat(panel);
        await panels.resultOf(panel);
        await runCommand(page, 'View: Close All Editors');

        await workbench.bridge.execute('workbench.action.chat.newChat');
        const said = say(workbench, '@parley book_flight from AMS to LIS');
        await answers(page).getByRole('button', { name: 'Run', exact: true }).last().click();
        const asked = await panels.panelOf(page, 'Book a flight');
        await panels.flights(asked).first().waitFor();
        await panels.takeFirstFlight(asked);
        await answers(page)
          .getByText(/^Show /)
          .last()
          .waitFor();
        await asked
          .getByRole('button', { name: /, available$/ })
          .nth(3)
          .click();
        await take(workbench, 'parley', theme);
        await asked.getByRole('button', { name: /^Choose seat/ }).click();
        await said;
      });
  }
});

async function take({ page }: Workbench, name: string, theme: ThemeKind): Promise<void> {
  const picture = `${name}-${theme}`;
  const folder = shown.test(picture) ? pages : toLookAt;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${picture}.png`), animations: 'disabled' });
}

/** Runs `fix_problems` on a file with a misspelt word, up to its first edit. */
async function mend(workbench: Workbench, shown: () => Promise<void>): Promise<void> {
  const { bridge, page } = workbench;
  const text =
    'export function total(prices: number[]) {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return summ;\n}\n';
  await bridge.evaluate(async (api, content) => {
    const [folder] = api.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error('no folder');
    const uri = api.Uri.joinPath(folder.uri, 'total.ts');
    await api.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
    const problem = new api.Diagnostic(new api.Range(3, 9, 3, 13), "Cannot find name 'summ'.");
    const problems = api.languages.createDiagnosticCollection('pictures');
    problems.set(uri, [problem]);
    Object.assign(globalThis, { picturedProblems: problems });
  }, text);
  const edit = { find: '  return summ;', replace: '  return sum;', why: 'summ is a misspelling of sum' };
  await bridge.execute('parleyDemo.script', [
    { toolCalls: [{ name: '__schema__', input: { edits: [edit] } }] },
  ]);
  const panel = await panels.runTool(page, 'Fix Problems');
  await panels.field(panel, 'File').fill('total.ts');
  await panels.button(panel, 'Run').click();
  await panel.getByText('Edit 1 of 1').waitFor();
  await shown();
  await panels.button(panel, 'Skip').click();
  await panels.resultOf(panel);
  await runCommand(page, 'View: Close All Editors');
  await bridge.evaluate(async (api) => {
    const [folder] = api.workspace.workspaceFolders ?? [];
    if (folder) await api.workspace.fs.delete(api.Uri.joinPath(folder.uri, 'total.ts'));
    (Reflect.get(globalThis, 'picturedProblems') as { dispose(): void }).dispose();
  }, undefined);
}
