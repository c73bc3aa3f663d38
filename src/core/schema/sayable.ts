import type * as z from 'zod';
import type { JsonSchema } from '../messages/json.ts';
import { isObject } from './is-object.ts';
import type { Schema } from './schema.ts';
import type { SchemaSide } from './schema-side.ts';
import { validateNow } from './validate.ts';

type Json = Record<string, unknown>;

/** Formats that clients read as zod does, or stricter than zod never is. */
const FORMATS = ['uuid', 'date', 'date-time', 'ipv4'];
/** What a check says that comes before or behind one that changes the value. */
const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const CHECKED = [...BOUNDS, 'minItems', 'maxItems', 'multipleOf', 'pattern', 'allOf', 'format'];
/** What says nothing to official validators on the input side: they are not asked there. */
export const DRAWN = ['format', 'minLength', 'multipleOf'];
/** What is said of properties by their names. */
const KEYS = ['propertyNames', 'patternProperties', 'additionalProperties'];

/**
 * Takes out of a part's JSON Schema what would refuse a value that zod takes: official clients refuse a tool's own result by it, and a
 * form an answer. On the input side stays what
 * forms draw and check their fields by (`DRAWN`): nobody but who asked judges arguments and answers.
 */
export function keepTrue({ _zod: { def } }: z.core.$ZodType, json: Json, side: SchemaSide): void {
  const { checks = [] } = def;
  const parts = def as unknown as Readonly<Record<'element' | 'valueType', Schema>> & {
    readonly items: readonly Schema[];
    readonly shape: Readonly<Record<string, Schema>>;
  };
  for (const key of CHECKED)
    if (typeof json[key] === 'number' && !Number.isFinite(json[key])) delete json[key];
  if (checks.some((check) => check._zod.def.check === 'overwrite')) {
    const kept = side === 'input' ? ['minLength', 'format'] : [];
    for (const key of CHECKED) if (!kept.includes(key)) delete json[key];
  }
  if (side === 'output' && typeof json.format === 'string' && !FORMATS.includes(json.format))
    delete json.format;
  // Zod asks something else than its own pattern.
  if (
    [def, ...checks.map((check) => check._zod.def)].some(
      (one) => 'format' in one && /v6$/.test(String(one.format)),
    )
  ) {
    delete json.pattern;
    delete json.allOf;
  }
  // Zod counts UTF-16 units, JSON Schema characters.
  if (side === 'output' && typeof json.minLength === 'number') json.minLength = Math.ceil(json.minLength / 2);
  if (side === 'output' && json.type === 'number') {
    delete json.multipleOf;
    delete json.allOf;
  }
  if (def.type === 'tuple') {
    // Clients of draft-07 read it as the schema of every item.
    delete json.items;
    const said = Array.isArray(json.prefixItems) ? json.prefixItems : [];
    json.prefixItems = said.map((item, at) => (canBeUndefined(parts.items[at]) ? {} : item));
  }
  if (def.type === 'array' && canBeUndefined(parts.element)) delete json.items;
  // What its keys do not fit, a loose record takes as it is.
  if ('mode' in def && def.mode === 'loose') for (const key of KEYS) delete json[key];
  if (def.type === 'record' && canBeUndefined(parts.valueType)) delete json.required;
  if (def.type === 'object' && Array.isArray(json.required)) {
    json.required = json.required.filter((key) => !canBeUndefined(parts.shape[key]));
  }
  // What was left out of them may have told the choices apart.
  if (Array.isArray(json.oneOf) && !('discriminator' in def)) {
    json.anyOf = json.oneOf;
    delete json.oneOf;
  }
}

/** On the wire, what is undefined is not there, or null in a list. */
function canBeUndefined(schema: Schema | undefined): boolean {
  const checked = schema && validateNow(schema, undefined);
  return checked !== undefined && (checked instanceof Promise || (checked.ok && checked.value === undefined));
}

/** The expressions of a part. */
export function patternsIn({ _zod: { def, bag } }: z.core.$ZodType): readonly RegExp[] {
  const all = [def, ...(def.checks ?? []).map((check) => check._zod.def)].map((one) =>
    'pattern' in one ? one.pattern : undefined,
  );
  const more = bag.patterns instanceof Set ? [...bag.patterns] : [];
  return [...all, ...more].filter((one) => one instanceof RegExp);
}

/** Keywords whose values are no schemas, and those that hold schemas by name. */
const DATA = ['const', 'default', 'enum', 'examples'];
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/**
 * A JSON Schema without the patterns that say something else to its readers, who read all in Unicode mode and without flags, than to
 * those who check: one that they cannot compile costs a server all its tools.
 *
 * @param exact also where only characters beyond 16 bits tell them apart
 */
export function withTruePatterns(json: JsonSchema, patterns: readonly RegExp[], exact: boolean): JsonSchema {
  const saysSame = (source: string) => {
    const same = patterns.filter((one) => one.source === source);
    const unicode = same.length > 0 && same.every(({ flags }) => flags.includes('u'));
    if (!unicode && (/\\[pPu]\{|\p{Cs}|\\u[dD][89a-fA-F]/u.test(source) || (exact && hasWideStep(source))))
      return false;
    return compiles(source) && !same.some(({ flags }) => /[imsv]/.test(flags));
  };
  const kept = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(kept);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      if (DATA.includes(key)) return [[key, one]];
      if (key === 'pattern' && typeof one === 'string') return saysSame(one) ? [[key, one]] : [];
      if (key === 'patternProperties' && isObject(one) && !Object.keys(one).every(saysSame)) return [];
      if (NAMED.includes(key) && isObject(one)) {
        return [[key, Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, kept(inner)]))]];
      }
      const inner = kept(one);
      if (key !== 'allOf' || !Array.isArray(inner)) return [[key, inner]];
      const said = inner.filter((part) => !isObject(part) || Object.keys(part).length > 0);
      return said.length > 0 ? [[key, said]] : [];
    });
    return Object.fromEntries(entries);
  };
  return kept(json) as JsonSchema;
}

/** Whether a step takes one unit of a character that has two: in Unicode mode it takes both. */
function hasWideStep(source: string): boolean {
  if (/[\u{10000}-\u{10ffff}]/u.test(source)) return true;
  return [...source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs)].some(({ 0: step, index }) => {
    const isWide =
      step === '.' || (step.startsWith('[') ? /^\[\^|\\[DWS]/.test(step) : /^\\[DWS]$/.test(step));
    return isWide && !/^(?:[*+]|\{[01],\})/.test(source.slice(index + step.length));
  });
}

function compiles(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
