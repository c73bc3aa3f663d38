import type { JsonObject, JsonValue } from '../json.ts';
import { namesSecret } from './secret-names.ts';
import { secretLines } from './secrets.ts';

const MASK = '***';

/** Shorter ones would be found in words that have nothing to do with them. */
const shortest = 4;

/** Takes secrets out of a value: what is one by its name, and the texts that are known to be one, wherever they stand. */
export type Mask = <V extends JsonValue | undefined>(value: V) => V;

/**
 * What takes the secrets of these values out of any value, the same way everywhere: what a tool was given and gives back is masked in
 * both, so that the two still fit.
 *
 * @param number stands for a number that is one: where the value has to fit its schema, another number
 */
export function secretsIn(values: readonly (JsonValue | undefined)[], number: JsonValue = MASK): Mask {
  return maskOf(
    values.flatMap((value) => [...textsOfSecrets(value)]),
    number,
  );
}

/** What takes these texts out of any value, and what is a secret by its name. */
export function maskOf(texts: Iterable<string>, number: JsonValue = MASK): Mask {
  // A long one may have a short one in it.
  const known = [...new Set(texts)].sort((one, other) => other.length - one.length);
  const masked = (value: JsonValue, is: Kind, name = ''): JsonValue => {
    if (typeof value === 'string') {
      return is === 'secret' ? MASK : known.reduce((text, one) => text.replaceAll(one, MASK), value);
    }
    if (Array.isArray(value)) return value.map((one) => masked(one, is));
    if (typeof value !== 'object' || value === null)
      return is === 'secret' && typeof value === 'number' ? number : value;
    const entries = Object.entries(value as JsonObject);
    return Object.fromEntries(
      entries.map(([key, one]) => [key, masked(one ?? null, kindOf(is, name, key, one), key)]),
    );
  };
  return <V extends JsonValue | undefined>(value: V) =>
    (value === undefined ? value : masked(value as JsonValue, 'plain')) as V;
}

/** The texts in a value that are secrets: by the name of what holds them, or by how their line looks. */
export function textsOfSecrets(value: JsonValue | undefined): ReadonlySet<string> {
  const secrets = new Set<string>();
  const collect = (one: JsonValue | undefined, is: Kind, name = ''): void => {
    if (typeof one === 'string') {
      if (is === 'secret' && one.length >= shortest) secrets.add(one);
      const lines = one.split('\n');
      for (const number of secretLines(one)) secrets.add(lines[number - 1] ?? one);
    } else if (Array.isArray(one)) {
      for (const part of one) collect(part, is);
    } else if (typeof one === 'object' && one !== null) {
      for (const [key, part] of Object.entries(one)) collect(part, kindOf(is, name, key, part), key);
    }
  };
  collect(value, 'plain');
  return secrets;
}

/** What a value is: a secret, the description of one, as in the schema of a form, or anything else. */
type Kind = 'plain' | 'secret' | 'described';

/** What stands under `key`, in something that stands under `name`. */
function kindOf(outer: Kind, name: string, key: string, value: JsonValue | undefined): Kind {
  if (outer === 'secret') return 'secret';
  if (outer === 'described') return DESCRIBES.has(key) ? 'described' : 'secret';
  if (!namesSecret(key)) return 'plain';
  return name === 'properties' && isSchema(value) ? 'described' : 'secret';
}

/** Words of a JSON Schema that describe a value, and are none: a default is. */
const DESCRIBES = new Set(
  'type title description format pattern minLength maxLength minimum maximum minItems maxItems items anyOf oneOf $ref'.split(
    ' ',
  ),
);

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

function isSchema(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return [value.type].flat().every((type) => TYPES.includes(type));
}
