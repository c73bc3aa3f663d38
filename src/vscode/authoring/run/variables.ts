import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';

/** What the editor's variables stand for right now. Absent is what stands for nothing: no file is open, nothing is selected. */
export type EditorVariables = Readonly<Record<VariableName, string | undefined>>;

/** The variables that parameters of a keybinding may hold, with the meaning that they have in `tasks.json`. */
export const variableNames = [
  'selection',
  'selectedText',
  'file',
  'relativeFile',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileExtname',
  'fileDirname',
  'relativeFileDirname',
  'fileWorkspaceFolder',
  'workspaceFolder',
  'workspaceFolderBasename',
  'lineNumber',
  'columnNumber',
] as const;

export type VariableName = (typeof variableNames)[number];

/** What says what to do where a variable stands for nothing. */
export type Unset = (name: VariableName) => Error;

/**
 * The parameters with what the variables in their texts stand for, once: what is put in is not looked through again. `${lineNumber}`
 * and `${columnNumber}` alone are numbers. What is no variable stays as it is.
 *
 * @throws what `unset` makes, for a variable that stands for nothing.
 */
export function withVariables(params: JsonObject, variables: EditorVariables, unset: Unset): JsonObject {
  const filled = <T extends JsonValue | undefined>(value: T): T | JsonValue => {
    if (typeof value === 'string') return textWith(value, variables, unset);
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value === 'object' && value !== null) return entriesWith(value as JsonObject);
    return value;
  };
  const entriesWith = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, filled(value)]));
  return entriesWith(params);
}

/** Whether a variable is in the parameters. */
export function hasVariables(params: JsonObject): boolean {
  return variableNames.some((name) => JSON.stringify(params).includes(`\${${name}}`));
}

function textWith(text: string, variables: EditorVariables, unset: Unset): JsonValue {
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
    if (!isVariable(name)) return whole;
    const value = variables[name];
    if (value === undefined) throw unset(name);
    return value;
  });
  return /^\$\{(?:line|column)Number\}$/.test(text) ? Number(filled) : filled;
}

function isVariable(name: string): name is VariableName {
  return (variableNames as readonly string[]).includes(name);
}
