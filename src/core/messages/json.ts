/** Any value that survives `JSON.parse(JSON.stringify(value))`. The only thing that crosses a worker, a page or a wire. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object; members that are `undefined` are left out when it is written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A JSON Schema document (draft 2020-12 unless it says otherwise). Kept open: Parley reads only the parts it knows. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
