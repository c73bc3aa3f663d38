import type { AnyTool } from '../../core/tool/tool.ts';

/** Whether a person is asked before a model's call of this tool runs. */
export function needsConfirmation(tool: AnyTool): boolean {
  return tool.def.annotations.readOnlyHint !== true;
}

const longestValue = 2000;

/** What a call was asked to do, for the person who allows it: its parameters as JSON. */
export function parametersText(input: unknown): string {
  const text = JSON.stringify(input ?? {}, undefined, 2) ?? '{}';
  return text.length > longestValue ? `${text.slice(0, longestValue)}\n… (${text.length} characters)` : text;
}

/** The names of the tools that a manifest declares; nothing of the tools themselves has to be loaded for that. */
export function declaredTools(packageJson: unknown): readonly string[] {
  const { contributes } = packageJson as {
    readonly contributes?: { readonly languageModelTools?: ReadonlyArray<{ readonly name: string }> };
  };
  return (contributes?.languageModelTools ?? []).map(({ name }) => name);
}
