import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { codeVersionOf } from '../../../core/world/code-version.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { type CallEntry, NEW_VERSION } from '../call-entry.ts';

/** Whether its tool is another than the one that its call has: with other code, where that is known. */
export function hasAnother(entry: CallEntry, registered: RegisteredTool): boolean {
  const session = entry.session();
  return session !== undefined && isAnother(session, registered);
}

/** What makes a tool: itself, and the plugin that answers for it. */
type Made = Pick<RegisteredTool, 'plugin' | 'tool'>;

function isAnother(one: Made, two: Made): boolean {
  if (offerOf(one) === offerOf(two)) return false;
  // A file that was loaded again as it was before: its branch was left and came back, or what was typed was taken back.
  const code = codeVersionOf(one.tool);
  const isLoadedAgain = one.tool !== two.tool && (one.plugin === undefined) === (two.plugin === undefined);
  return code === undefined || !isLoadedAgain || code !== codeVersionOf(two.tool);
}

/** What is run: the plugin of a tool, or the tool. */
export function offerOf({ plugin, tool }: Made): AnyPlugin | AnyTool {
  return plugin ?? tool;
}

/** Says in the panel of a call what a new version of its tool means for it; without a message, no more of that. */
export function sayChanged({ panel }: CallEntry, message?: string, label?: string): void {
  panel.store.dispatch({
    type: 'pause',
    pause:
      message === undefined
        ? undefined
        : { message, actions: label ? [{ id: NEW_VERSION, label, primary: false }] : [] },
    waits: false,
    time: Date.now(),
  });
}
