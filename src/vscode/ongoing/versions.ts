import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { RegisteredTool } from '../../workspace/registry/registered-tool.ts';
import { type CallEntry, NEW_VERSION } from '../calls/call-entry.ts';

/** Whether its tool is another than the one that its call has. */
export function hasAnother(entry: CallEntry, registered: RegisteredTool): boolean {
  const session = entry.session();
  return session !== undefined && offerOf(session) !== offerOf(registered);
}

/** What is run: the plugin of a tool, or the tool. */
export function offerOf({ plugin, tool }: Pick<RegisteredTool, 'plugin' | 'tool'>): AnyPlugin | AnyTool {
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
