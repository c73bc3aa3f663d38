import { describe } from 'vitest';
import { accessibilityProblems, type Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import { endpoint, post, toolsOf } from './mcp-endpoint.ts';
import * as panels from './panel.ts';

const CODE = `
  const routes: string[] = ['LIS', 'ROM', 'OSL', 'VIE'];
  const booked = await Promise.allSettled(routes.map((to) => tools.note({ about: 'AMS to ' + to, urgent: to === 'OSL' })));
  return booked.map((one) => one.status === 'fulfilled' ? one.value : one.reason.name);`;

describe('code mode', () => {
  test('shows what code wants to change as one table, to untick and edit by keyboard', async ({
    page,
    workbench,
  }) => {
    await using _setting = await codeMode(workbench);
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    const client = await endpoint(workbench);
    expect(await toolsOf(client)).toEqual(['describe_tool', 'execute_code', 'search_tools']);
    const called = post(client, 'tools/call', { name: 'execute_code', arguments: { code: CODE } });
    const panel = await panels.panelShowing(page, 'Execute Code', '4 calls that can make changes');
    const box = (name: RegExp) => panel.getByRole('checkbox', { name });
    await box(/ROM/).waitFor();
    for (const theme of panels.themes) {
      await panels.inTheme(workbench, panel, theme);
      expect(await accessibilityProblems(panel), theme).toEqual([]);
    }
    await box(/LIS/).focus();
    await panels.pressIn(panel, 'ArrowDown');
    await panels.pressIn(panel, 'Space');
    await panels.pressIn(panel, 'ArrowDown');
    await panels.pressIn(panel, 'F2');
    await panel.getByRole('textbox').fill('{ "about": "AMS to BGO", "urgent": 1 }');
    await panels.pressIn(panel, 'Escape');
    await panels.button(panel, 'Run 3 of 4').click();
    // The tool does not take that: it is asked again, and nothing of it is lost.
    await panel.getByRole('alert').filter({ hasText: 'urgent: ' }).waitFor();
    await expect.poll(() => box(/ROM/).isChecked()).toBe(false);
    await box(/BGO/).focus();
    await panels.pressIn(panel, 'F2');
    await panel.getByRole('textbox').fill('{ "about": "AMS to BGO", "urgent": true }');
    await panels.submit(panel);
    const text = await (await called).text();
    expect(text).toContain('AMS to BGO');
    expect(text).toContain('ToolNotApprovedError');
    expect(text).not.toContain('AMS to ROM');
  });
});

async function codeMode(workbench: Workbench): Promise<AsyncDisposable> {
  await workbench.updateSettings({ 'parley.codeMode': true });
  return {
    async [Symbol.asyncDispose]() {
      await workbench.updateSettings({ 'parley.codeMode': undefined, 'workbench.colorTheme': undefined });
    },
  };
}
