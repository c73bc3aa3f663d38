import { toError } from '../../../core/errors/parley-error.ts';
import type { JsonSchema } from '../../../core/messages/json.ts';
import { type Offer, toolOf } from '../../../core/plugin/offer.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { pointed } from '../../../core/schema/pointed.ts';
import { DRAWN } from '../../../core/schema/sayable.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import { validateNow } from '../../../core/schema/validate.ts';

/** Texts of many kinds, of which a schema takes some. */
const TEXTS = [
  ...['', 'a', 'AB-12', 'a-b:c', 'two words', 'a\nb', 'x'.repeat(40)],
  ...['x'.repeat(300), 'zürich', '🙂🙂🙂', '3', '-1.5', 'true', 'ada@example.com'],
  ...[
    'example.com',
    'https://example.com/a?b#c',
    'https://de.wikipedia.org/wiki/Zürich',
    '/a/b.txt',
    '2024-02-29',
    '2024-02-29T06:15:00Z',
    '2024-02-29T06:15:00+02:00',
  ],
  ...['06:15:00', 'P1D', '127.0.0.1', '::1', '6ba7b810-9dad-41d1-80b4-00c04fd430c8', 'aGk=', '+491234567'],
];
const NUMBERS = [0, 1, -1, 2, 3, 7, 10, 0.1, 0.3, 2.5, 99, 100, 1e6, 1e21, -1e-7];
const ANYTHING = [null, 'a', 1, true, [], {}, undefined];

/** Parts of one schema that are tried with other values, and levels of it that are looked at. */
const MOST = 60;
const DEEPEST = 8;

/**
 * What is published of an offer and refuses a value that its own schema takes, one sentence for each schema: official clients refuse a
 * result of the tool by it, or list no tool of the server at all. Values are made by what is published, and judged by both.
 */
export async function refusedValues(offer: Offer): Promise<readonly string[]> {
  const { name, parameters, output, elicits } = toolOf(offer).def;
  const { AjvJsonSchemaValidator, Ajv, addFormats } = await import(
    '@modelcontextprotocol/client/validators/ajv'
  );
  // As clients of the SDK's first version have it.
  const first = new Ajv({ strict: false, validateFormats: true, validateSchema: false, allErrors: true });
  addFormats(first);
  const validators = [new AjvJsonSchemaValidator(first), new AjvJsonSchemaValidator()];
  const told = (what: string, json: object, schema: Schema, isOutput = false) => {
    const problem = problemOf(validators, json, schema, isOutput);
    return problem === undefined ? [] : [`'${name}': what clients read of ${what} ${problem}`];
  };
  return [
    ...told('its parameters', parameters.json, parameters.schema),
    ...(output ? told('its output', output.json, output.schema, true) : []),
    ...Object.values(elicits).flatMap(({ key, json, response }) =>
      told(`the question '${key}'`, json, response),
    ),
  ];
}

interface Validator {
  getValidator(schema: never): (value: unknown) => { readonly errorMessage: string | undefined };
}

function problemOf(
  validators: readonly Validator[],
  json: object,
  schema: Schema,
  isOutput: boolean,
): string | undefined {
  try {
    const checks = validators.map((one) =>
      one.getValidator(structuredClone(isOutput ? json : undrawn(json)) as never),
    );
    for (const { given, value } of takenValues(json, schema)) {
      const sent: unknown = JSON.parse(JSON.stringify(isOutput ? value : given) ?? 'null');
      const [refusal] = checks.flatMap((check) => check(sent).errorMessage ?? []);
      if (refusal !== undefined)
        return `refuses ${JSON.stringify(sent).slice(0, 80)}, which its own schema takes (${refusal})`;
    }
    return undefined;
  } catch (error) {
    return `cannot be read (${toError(error).message})`;
  }
}

/** Without what fields of a form are drawn by: nobody but us checks arguments and answers. */
function undrawn(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(undrawn);
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(([key, one]) => !DRAWN.includes(key) || isObject(one));
  return Object.fromEntries(kept.map(([key, one]) => [key, undrawn(one)]));
}

/** A part of a value that is tried with several, by its place in the words of `validateNow`. */
interface Choice {
  readonly path: string;
  readonly values: readonly unknown[];
  at: number;
  /** Which parts there are hangs on it. */
  readonly isShape: boolean;
}

/**
 * Values that a schema takes, found by what it says is wrong with others: one with every part, and one for each other shape; of each, every
 * part as all that it may be.
 */
function* takenValues(json: object, schema: Schema) {
  const choices: Choice[] = [];
  const made = builder(json, choices);
  const judged = () => {
    const given = made();
    const checked = validateNow(schema, given);
    return checked instanceof Promise ? undefined : { given, ...checked };
  };
  function* all(some: readonly Choice[]) {
    for (let round = 0; round < MOST; round++) {
      const tried = judged();
      if (!tried) return;
      if (tried.ok) break;
      const wrong = tried.issues.map(({ path }) => path);
      for (const one of choices)
        if (!one.isShape && wrong.some((path) => isWithin(one.path, path) || isWithin(path, one.path)))
          one.at++;
    }
    for (const one of some) {
      const { at } = one;
      for (one.at = 0; one.at < one.values.length; one.at++) {
        const tried = judged();
        if (tried?.ok) yield tried;
      }
      one.at = at;
    }
  }
  const parts = choices.filter(({ isShape }) => !isShape);
  yield* all(parts);
  for (const shape of choices.filter(({ isShape }) => isShape)) {
    for (shape.at = 1; shape.at < shape.values.length; shape.at++) {
      yield* all([shape, ...parts.filter(({ path }) => isWithin(path, shape.path))]);
    }
    shape.at = 0;
  }
}

function isWithin(inner: string, outer: string): boolean {
  return inner.startsWith(outer) && (outer === '' || /^(?:$|[.[])/.test(inner.slice(outer.length)));
}

/** Makes a value of a JSON Schema, as the choices in it stand. */
function builder(root: object, choices: Choice[]): () => unknown {
  const chosen = (path: string, values: readonly unknown[], isShape = false) => {
    const one = { path, values, at: 0, isShape };
    if (choices.length < MOST) choices.push(one);
    return () => one.values[one.at % one.values.length];
  };
  const build = (given: unknown, path: string, depth: number): (() => unknown) => {
    const node = isObject(given) && typeof given.$ref === 'string' ? pointed(root, given.$ref) : given;
    if (!isObject(node) || depth > DEEPEST) return chosen(path, ANYTHING);
    const { type, properties, required, items, prefixItems, anyOf, oneOf } = node;
    const either = anyOf ?? oneOf;
    if (Array.isArray(either)) {
      const which = chosen(
        path,
        either.map((one) => build(one, path, depth + 1)),
        true,
      );
      return () => (which() as () => unknown)();
    }
    if (type === 'array') {
      const parts = Array.isArray(prefixItems) ? prefixItems : [items];
      const made = parts.map((one, at) => build(one, `${path}[${at}]`, depth + 1));
      const isEmpty = chosen(path, [false, true], true);
      return () => (isEmpty() ? [] : made.map((one) => one()));
    }
    if (type !== 'object') return chosen(path, scalarsOf(node));
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const fields = Object.entries(isObject(properties) ? properties : {}).map(([key, one]) => {
      const at = path === '' ? key : `${path}.${key}`;
      const isLeftOut = needed.includes(key) ? () => false : chosen(at, [false, true], true);
      const made = build(one, at, depth + 1);
      return [key, () => (isLeftOut() ? undefined : made())] as const;
    });
    return () => Object.fromEntries(fields.map(([key, one]) => [key, one()]));
  };
  return build(root, '', 0);
}

function scalarsOf({ type, enum: values, const: only, default: preset }: JsonSchema): readonly unknown[] {
  const named = Array.isArray(values) ? values : only === undefined ? [] : [only];
  if (named.length > 0) return named;
  const some = [type].flat().flatMap((one): readonly unknown[] => {
    if (one === 'string') return TEXTS;
    if (one === 'number' || one === 'integer') return NUMBERS;
    return one === 'boolean' ? [true, false] : one === 'null' ? [null] : [];
  });
  const all = preset === undefined ? some : [preset, ...some];
  return all.length > 0 ? all : ANYTHING;
}
