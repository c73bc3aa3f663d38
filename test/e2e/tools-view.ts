import { onTestFinished } from 'vitest';
import type { Workbench } from '#harness';

/**
 * Opens the Tools view with all the room that there is, for the length of a test: a list has rows only where they can be seen, and
 * servers come last.
 */
export async function openToolsView(workbench: Workbench): Promise<void> {
  await workbench.bridge.execute('parley.tools.focus');
  const calls = workbench.page.locator('.pane-header', { hasText: 'Calls' });
  await calls.click();
  onTestFinished(async () => {
    await workbench.bridge.execute('parley.tools.focus');
    await calls.click();
  });
}
