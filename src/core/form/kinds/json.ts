import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '../../messages/json.ts';
import { defined } from '../../schema/defined.ts';
import { isObject } from '../../schema/is-object.ts';
import { skeletonOf } from '../../schema/skeleton-of.ts';
import { describedAs, type FieldKind, isString } from '../field-kind.ts';
import { common } from './keywords.ts';
import type { StringProperty } from './text.ts';

const schema = z.object({
  type: z.literal('string'),
  ...common,
  /** Hint: what it is, for a form that can draw it. */
  json: z.custom<JsonObject>(isObject),
  default: z.exactOptional(z.custom<JsonValue>((value) => value !== undefined)),
});

/** Any data. */
export type JsonProperty = Readonly<z.infer<typeof schema>>;

/** Data that the protocol has no field for: rows and groups in our form, a text on the wire. */
export const jsonKind = {
  schema,
  drawn: 'text',
  compile(node, resolve) {
    if (node.json !== true) return undefined;
    const { title: _, description: __, page: ___, default: ____, json: _____, ...rest } = node;
    const $defs = resolve({ $ref: '#/$defs' });
    const whole = Object.keys($defs).length > 0 ? { ...rest, $defs } : rest;
    // A JSON Schema is JSON.
    return { type: 'string', json: whole as JsonObject };
  },
  fits: (_, value) => value !== undefined,
  wire: ({ title, description, default: preset }, { json }) => ({
    type: 'string',
    description: describedAs(description, `JSON, such as ${JSON.stringify(skeletonOf(json))}`),
    ...defined({ title, default: preset === undefined ? undefined : linesOf(preset) }),
  }),
  fromWire(value, { json }) {
    if (!isString(value) || json.type === 'string') return value;
    const text = value.replace(/^\s*```\w*\n|\n```\s*$/g, '');
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new SyntaxError(`this is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  },
} satisfies FieldKind<JsonProperty, StringProperty>;

/** JSON with a line for each item of a list. */
function linesOf(value: JsonValue): string {
  if (!Array.isArray(value) || value.length < 2) return JSON.stringify(value);
  return `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
}
