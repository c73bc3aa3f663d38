import type { Operation } from 'effection';
import type { LanguageModelToolInformation } from 'vscode';
import type { JsonObject, JsonSchema } from '../../../../core/messages/json.ts';
import { createMcpTool } from '../../../../core/tool/create-mcp-tool.ts';
import type { AnyTool } from '../../../../core/tool/tool.ts';
import { listedSchema, problemsOf } from '../../../../mcp/client/index.ts';
import { isCancellation } from '../../../bridge.ts';
import type { LmPart } from '../../../calls/sampler/parts.ts';
import { blocksOfParts } from './result-blocks.ts';

/** What the editor says of a tool that is served to it. */
export type EditorToolInfo = Pick<LanguageModelToolInformation, 'name' | 'description' | 'inputSchema'>;

/** Has the editor call a tool. Halting takes the call back. */
export type CallEditorTool = (name: string, input: JsonObject) => Operation<readonly LmPart[]>;

/** Characters of a description that the model is told. */
const SHOWN = 16_000;

/**
 * A tool that others serve to the editor, as a tool of ours: frozen data whose code has the editor call it. The editor asks for
 * approval and shows the call.
 *
 * @throws `ToolDefinitionError` for what cannot be a tool
 */
function editorTool({ name, description, inputSchema }: EditorToolInfo, call: CallEditorTool): AnyTool {
  const schema: JsonSchema = { type: 'object', ...inputSchema };
  return (
    createMcpTool(name)
      .description((description.trim() || name).slice(0, SHOWN))
      // The editor hands on what it is given, and not every tool looks at it.
      .parameters(listedSchema<JsonObject>(schema, (value) => problemsOf(schema, value)))
      .elicits({})
      .execute(function* (input) {
        try {
          return { content: blocksOfParts(yield* call(name, input)) };
        } catch (error) {
          // That is how the editor says no: nobody else can end the call while its turn goes on.
          if (!isCancellation(error)) throw error;
          return `The user did not allow "${name}" to run. Continue without it, or ask the user what they want instead.`;
        }
      })
  );
}

/** The tools that can be ones of ours; of each other one `skipped` hears why not. */
export function editorTools(
  infos: readonly EditorToolInfo[],
  call: CallEditorTool,
  skipped: (name: string, error: unknown) => void,
): readonly AnyTool[] {
  return infos.flatMap((info) => {
    try {
      return [editorTool(info, call)];
    } catch (error) {
      skipped(info.name, error);
      return [];
    }
  });
}
