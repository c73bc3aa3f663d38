import { randomUUID } from 'node:crypto';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Session } from '../../runtime/session/session.ts';
import { createCallPanel, type PanelHost } from '../panel/call-panel.ts';
import { type CallEntry, type Origin, titleOf } from './call-entry.ts';

/** An entry whose session comes later. */
export interface NewEntry extends CallEntry {
  setSession(session: Session): void;
}

/** What an entry does when its panel's buttons are pressed. */
export interface EntryActions {
  abort(entry: CallEntry): void;
  /** The person closed its panel. */
  closed(entry: CallEntry): void;
  action(entry: CallEntry, id: string): void;
}

/** A call's entry, with its panel that nobody sees yet. */
export function createEntry(host: PanelHost, tool: AnyTool, origin: Origin, actions: EntryActions): NewEntry {
  let session: Session | undefined;
  const { def } = tool;
  const entry: NewEntry = {
    id: randomUUID(),
    tool,
    title: titleOf(tool),
    origin,
    session: () => session,
    abort: () => actions.abort(entry),
    setSession(started) {
      session = started;
    },
    panel: createCallPanel(host, {
      toolName: tool.name,
      title: titleOf(tool),
      description: def.editor.userDescription ?? def.description,
      icon: def.icon,
      onStop: () => actions.abort(entry),
      onClosed: () => actions.closed(entry),
      onAction: (id) => actions.action(entry, id),
    }),
  };
  return entry;
}
