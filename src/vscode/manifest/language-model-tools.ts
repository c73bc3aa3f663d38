import type { AnyTool } from '../../core/tool/tool.ts';
import { shippedTools } from '../../tools/definitions.ts';
import { lineFor } from '../calls/call-entry.ts';
import { text, type WithTexts } from './text.ts';

/** `contributes.languageModelTools`: every shipped tool, as its definition says. */
export const languageModelToolContributions = shippedTools.map(contributionOf);

/** One tool's entry. Without a reference name the editor would not give it to the agent at all. */
export function contributionOf(tool: AnyTool): { readonly [key: string]: WithTexts | undefined } {
  const { title, description, editor, icon, parameters } = tool.def;
  const { name } = tool;
  return {
    name,
    displayName: text(`tool.${name}`, title ?? name),
    modelDescription: description,
    userDescription: text(`tool.${name}.description`, lineFor(tool)),
    toolReferenceName: editor.reference ?? name,
    canBeReferencedInPrompt: true,
    // With pages in the chat the agent gets it over MCP: it must not have it twice.
    when: 'config.parley.questions.agent == panel && !parley.shippedOverMcp',
    icon: icon === undefined || icon.startsWith('<') ? undefined : `$(${icon})`,
    tags: editor.tags,
    inputSchema: withoutDialect(parameters.json) as WithTexts,
  };
}

/** The editor reads draft-07 and complains about the name of another. */
function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>) {
  return schema;
}
