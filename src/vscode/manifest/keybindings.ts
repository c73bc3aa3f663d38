import { commands } from '../ids.ts';

/** Plain, as what it becomes. */
type Keybinding = {
  readonly command: string;
  readonly key: string;
  readonly mac: string;
  readonly when: string;
  readonly args?: string;
};

/**
 * `contributes.keybindings`: chords that no VS Code has taken, which `test/host/vscode/keybindings.test.ts` looks up, and none with
 * Ctrl+Alt, which is how many keyboards write letters. While a list of ours is open, keys in it are ours.
 */
export const keybindingContributions: readonly Keybinding[] = [
  {
    command: commands.showWaiting,
    key: 'ctrl+k a',
    mac: 'cmd+k a',
    when: 'parley.waitingCalls > 0',
    args: 'oldest',
  },
  { command: commands.runTool, key: 'ctrl+k x', mac: 'cmd+k x', when: '!terminalFocus' },
  {
    command: commands.takeWithLast,
    key: 'alt+enter',
    mac: 'alt+enter',
    when: 'inQuickOpen && parley.pickingTool',
  },
  { command: commands.runLastTool, key: 'ctrl+k shift+x', mac: 'cmd+k shift+x', when: '!terminalFocus' },
  {
    command: commands.showLastCall,
    key: 'ctrl+k l',
    mac: 'cmd+k l',
    when: '!terminalFocus && parley.finishedCalls > 0 || !terminalFocus && parley.runningCalls > 0',
  },
];
