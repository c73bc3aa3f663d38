import { applyEdits, modify, parse } from 'jsonc-parser';
import type { JsonObject } from '../../core/messages/json.ts';
import { isObject } from '../../core/schema/is-object.ts';

/** A file of servers without one of them, which is given as it was written. Comments and all else stay. */
export function withoutServer(
  text: string,
  name: string,
): { readonly text: string; readonly entry: JsonObject } | undefined {
  const json = parse(text, [], { allowTrailingComma: true }) as File | undefined;
  const key = (['servers', 'mcpServers'] as const).find((one) => isObject(json?.[one]?.[name]));
  if (!key) return undefined;
  const entry = json?.[key]?.[name] as JsonObject;
  const edits = modify(text, [key, name], undefined, {
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  return { text: applyEdits(text, edits), entry };
}

interface File {
  readonly servers?: JsonObject;
  readonly mcpServers?: JsonObject;
}
