import assert from 'node:assert/strict';
import { run, spawn, withResolvers } from 'effection';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { bringTab, runTabs } from '#src/vscode/calls/panel/tabs/run-tabs.ts';
import { panelType } from '#src/vscode/ids.ts';
import { eventually } from './eventually.ts';

const TITLE = 'A call of an earlier window';

describe('the tab of a call of an earlier window', () => {
  it('that is on show is waited for, in place of a second one', async () => {
    const tab = vscode.window.createWebviewPanel(panelType, TITLE, vscode.ViewColumn.Active);
    await eventually('its tab', () => runTabs().some(({ label, isActive }) => label === TITLE && isActive));
    let live = 0;
    const came = withResolvers<void>();
    const waited = withResolvers<void>();
    const brought = await run(function* () {
      const bringing = yield* spawn(() =>
        bringTab(TITLE, {
          live: () => live,
          isThere: () => live > 0,
          *came() {
            waited.resolve();
            yield* came.operation;
          },
        }),
      );
      // The editor brings it only now.
      yield* waited.operation;
      live = 1;
      came.resolve();
      return yield* bringing;
    });
    assert.equal(brought, true);
    tab.dispose();
  });

  it('is none where all of that title have windows', async () => {
    const tab = vscode.window.createWebviewPanel(panelType, TITLE, vscode.ViewColumn.Active);
    await eventually('its tab', () => runTabs().some(({ label, isActive }) => label === TITLE && isActive));
    const brought = await run(() =>
      bringTab(TITLE, {
        live: () => 1,
        isThere: () => false,
        *came() {
          assert.fail('nothing is waited for');
        },
      }),
    );
    assert.equal(brought, false);
    tab.dispose();
  });
});
