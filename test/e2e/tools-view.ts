import { onTestFinished } from 'vitest';
import type { Workbench } from '#harness';

/**
 * Opens the Tools view with all the room that there is, for the length of a test: a list has rows only where they can be seen, and
 * servers come last.
 */
export async function openToolsView(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  await workbench.bridge.execute('parley.tools.focus');
  const calls = page.locator('.pane-header', { hasText: 'Calls' });
  await calls.waitFor();
  if ((await calls.getAttribute('aria-expanded')) === 'true') await calls.click();
  await page.locator('.pane-header[aria-expanded="false"]', { hasText: 'Calls' }).waitFor();
  // The command opens the list of calls again, whatever the test has done with it; a second click could close it.
  onTestFinished(async () => {
    await workbench.bridge.execute('parley.calls.focus');
  });
}
