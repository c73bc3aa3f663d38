import type { JsonObject, JsonSchema } from '../../../core/messages/json.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { acceptsOf } from '../../../core/tool/tool-checks.ts';

/** What a tool is to be run on. Paths are as a picked path is: relative to the workspace where they are in it. */
export interface RunTarget {
  /** Text; empty where nothing is selected. */
  readonly selection: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

type Property = Readonly<Record<string, unknown>>;
type PathKind = 'file' | 'folder';

/** Whether a tool says that it can be run on this, and has parameters for it. */
export function isOfferedOn({ def }: AnyTool, place: RunTarget): boolean {
  const accepts = new Set(acceptsOf(def.editor));
  const { selection, files, folders } = place;
  const properties = propertiesOf(def.parameters.json);
  // Of several, a tool that takes one would leave out the others without a word.
  const takes = (kind: PathKind, paths: readonly string[]) =>
    paths.length === 0 || (accepts.has(kind) && (paths.length === 1 || hasList(properties, kind)));
  if (files.length + folders.length > 1) return takes('file', files) && takes('folder', folders);
  return (
    (accepts.has('selection') && selection !== '') ||
    (files.length > 0 && takes('file', files)) ||
    (folders.length > 0 && takes('folder', folders))
  );
}

/** The parameters that are known from what a tool is run on. */
export function parametersAt(tool: AnyTool, place: RunTarget): JsonObject {
  const accepts = new Set(acceptsOf(tool.def.editor));
  const values: Record<string, JsonObject[string]> = {};
  const properties = propertiesOf(tool.def.parameters.json);
  const plainText = () =>
    properties.find(([name, property]) => !(name in values) && isPlainText(property))?.[0];

  for (const [kind, paths] of [
    ['file', place.files],
    ['folder', place.folders],
  ] as const) {
    const [first] = paths;
    if (first === undefined) continue;
    const name = properties.find(([, property]) => picks(property, kind))?.[0];
    const into = name ?? (accepts.has(kind) && !hasSelection(accepts, place) ? plainText() : undefined);
    if (into === undefined) continue;
    values[into] = properties.some(([key, property]) => key === into && property.type === 'array')
      ? [...paths]
      : first;
  }
  const text = hasSelection(accepts, place) ? plainText() : undefined;
  if (text !== undefined) values[text] = place.selection;
  return values;
}

/** Whether these are all the parameters there are, so that a form has nothing to ask. */
export function isAll(values: JsonObject, schema: JsonSchema): boolean {
  const names = propertiesOf(schema).map(([name]) => name);
  return names.length > 0 && names.every((name) => name in values);
}

function hasSelection(accepts: ReadonlySet<string>, { selection }: RunTarget): boolean {
  return selection !== '' && accepts.has('selection');
}

function hasList(properties: readonly (readonly [string, Property])[], kind: PathKind): boolean {
  return properties.some(([, property]) => property.type === 'array' && picks(property, kind));
}

function picks(property: Property, kind: PathKind): boolean {
  const items = property.items as Property | undefined;
  return property.pick === kind || (property.type === 'array' && items?.pick === kind);
}

function isPlainText({ type, format, pick, enum: choices, const: fixed }: Property): boolean {
  return type === 'string' && [format, pick, choices, fixed].every((one) => one === undefined);
}

function propertiesOf({ properties }: JsonSchema): readonly (readonly [string, Property])[] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).filter(
    (entry): entry is [string, Property] => typeof entry[1] === 'object' && entry[1] !== null,
  );
}
