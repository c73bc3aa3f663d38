// @module-tag long
import { describe } from 'vitest';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';

describe('a tool of another extension', () => {
  test('runs like every other, and is gone when its extension takes it back', async ({ page, workbench }) => {
    const { bridge } = workbench;
    await bridge.activate('parley-test.parley-test-tool-provider');
    expect(await bridge.execute('parleyTestProvider.register')).toContain('provided_greeting');
    expect(await bridge.execute('parleyTestProvider.changes')).toBeGreaterThan(0);

    const result = bridge.execute('parley.runTool', 'provided_greeting', { greeting: 'Hello' });
    const panel = await panels.panelOf(page, 'Greet');
    await panel.getByText('Whom shall I greet?').first().waitFor();
    await panels.field(panel, 'Name').fill('Ada');
    await panels.button(panel, 'Submit').click();
    expect(await result).toBe('Hello, Ada');

    expect(await bridge.execute('parleyTestProvider.dispose')).not.toContain('provided_greeting');
    const gone = bridge.execute('parley.runTool', 'provided_greeting', { greeting: 'Hello' });
    await expect(gone).rejects.toThrow('provided_greeting');
  });
});
