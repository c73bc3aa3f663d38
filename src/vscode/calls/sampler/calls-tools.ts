import type * as vscode from 'vscode';

/** Whether a model can call tools: said at run time since VS Code 1.107, and by no type of 1.106. A silent one can. */
export function callsTools(model: vscode.LanguageModelChat & { readonly capabilities?: unknown }): boolean {
  const said = model.capabilities;
  return (
    !(typeof said === 'object' && said !== null && 'supportsToolCalling' in said) ||
    said.supportsToolCalling !== false
  );
}
