import type { ClientCapabilities } from '../../../core/tool/context.ts';

/** What the editor can do for a call: everything. */
export const editorCapabilities: ClientCapabilities = {
  elicitation: { form: true, url: true },
  sampling: { tools: true },
  roots: true,
  editor: true,
};
