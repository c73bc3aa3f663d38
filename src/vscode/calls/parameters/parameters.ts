import type { JsonObject, JsonSchema, JsonValue } from '../../../core/messages/json.ts';
import { namesSecret } from '../../../core/messages/secrets/secret-names.ts';
import { isObject } from '../../../core/schema/is-object.ts';

/** Whether a tool takes no parameters, so that there is nothing to ask before it starts. */
export function takesNothing(schema: JsonSchema): boolean {
  const { properties } = schema;
  const composed = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'].some((key) => key in schema);
  const empty = properties === undefined || Object.keys(properties as object).length === 0;
  const open = typeof schema.additionalProperties === 'object';
  return empty && !composed && !open;
}

/** Whether a form for them would be nothing but empty fields that may stay so: then the tool can start without one. */
export function needsNothing(schema: JsonSchema): boolean {
  const { type, properties, required } = schema;
  if (takesNothing(schema)) return true;
  if (type !== 'object' || typeof properties !== 'object' || properties === null) return false;
  const composed = ['anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in schema);
  const optional = !Array.isArray(required) || required.length === 0;
  return optional && !composed && Object.values(properties).every((property) => isEmptyAtFirst(property));
}

function isEmptyAtFirst(property: unknown): boolean {
  return typeof property === 'object' && property !== null && !('default' in property);
}

/** What the person gave last time, as what to fill in at first: only what the form still has and may be kept. */
export function asDefaults(schema: JsonSchema, last: JsonObject | undefined): JsonObject | undefined {
  const { properties } = schema;
  if (!last || typeof properties !== 'object' || properties === null) return undefined;
  const known = Object.entries(last).filter(([key]) => Object.hasOwn(properties, key));
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/** The parameters without what should not be kept on disk. */
export function withoutSecrets(params: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => !namesSecret(key)));
}

/** What `parley.runTool` was called with. */
export interface RunArguments {
  readonly tool: string | undefined;
  readonly params: JsonObject | undefined;
  /** Its panel stays away until the call asks something. */
  readonly unseen?: boolean;
  /** They are of a keybinding, as one object: variables of the editor count in the parameters. */
  readonly written?: boolean;
}

/**
 * Reads the arguments of `parley.runTool`: nothing, `(name, params?)` as programs pass them, or `({ tool, params?, show? })` as
 * keybindings do. @throws when they are something else.
 */
export function readRunArguments(args: readonly unknown[]): RunArguments {
  const [first, second] = args;
  if (first === undefined || first === null) return { tool: undefined, params: undefined };
  if (typeof first === 'string') return { tool: first, params: readParams(second) };
  if (isObject(first) && typeof first.tool === 'string') {
    const { tool, params, show = true } = first;
    if (typeof show !== 'boolean') throw new TypeError('“show” is true or false.');
    return { tool, params: readParams(params), unseen: !show, written: true };
  }
  throw new TypeError(
    'parley.runTool takes the name of a tool and its parameters, or { tool, params, show }.',
  );
}

function readParams(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  const params = asParameters(value);
  if (params === undefined) throw new TypeError('The parameters of a tool are an object.');
  return params;
}

/** What was kept as parameters; nothing where it is something else. */
export function asParameters(value: unknown): JsonObject | undefined {
  return isObject(value) ? (value as Record<string, JsonValue>) : undefined;
}
