import type { FormValue } from '../../../core/form/form-schema.ts';
import type { JsonSchema } from '../../../core/messages/json.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { pointed } from '../../../core/schema/pointed.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import type { StandardIssue, StandardJsonSchemaV1 } from '../../../core/schema/standard-schema.ts';
import { issuesAt, problemsOf } from './check.ts';

/** What a form of a server answers. */
type Content = Readonly<Record<string, FormValue>>;

/** A field as forms have them, and what the server's schema calls a value of it. */
interface Field {
  readonly schema: JsonSchema;
  read(value: unknown): unknown;
  /** What is wrong with a value, where its schema as a form does not say it. */
  check?(value: unknown): readonly StandardIssue[];
}

/** References and combinations within each other that are followed, and in all of a form. */
const MOST_FOLDS = 20;
const BUDGET = 5_000;

/** Lists and choices within each other that are read. */
const DEEPEST = 10;

/** Fields that an example of a field of fields has, and what is there by its type. */
const SHOWN = 10;
const EXAMPLES: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true };

const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** A form of a server. */
export interface ForeignForm {
  readonly schema: Schema<Content>;
  /** What fields are answered with that are left empty, as our capabilities say. */
  readonly defaults: Content;
}

/**
 * A form as servers write it: forms of the protocol are flat, libraries write `anyOf` with null, references, choices of numbers, lists of
 * them and objects, which are entered as JSON. The person is asked as near to that as a form can be; the server gets what its own schema says.
 */
export function foreignForm(json: JsonSchema): ForeignForm {
  const reader = new FieldReader(json);
  const required = Array.isArray(json.required) ? json.required : [];
  const fields = new Map(
    Object.entries(isObject(json.properties) ? json.properties : {}).map(
      ([name, node]) => [name, reader.fieldOf(reader.folded(node))] as const,
    ),
  );
  const read = (content: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(content).map(([name, value]) => [name, fields.get(name)?.read(value) ?? value]),
    );
  const deeper = (content: Readonly<Record<string, unknown>>) =>
    Object.entries(content).flatMap(([name, value]) =>
      (fields.get(name)?.check?.(value) ?? []).map((issue) => ({
        ...issue,
        path: [name, ...(issue.path ?? [])],
      })),
    );
  const form = {
    ...json,
    type: 'object',
    properties: Object.fromEntries([...fields].map(([name, { schema }]) => [name, schema])),
    required: required.filter((name) => fields.has(name)),
  };
  const described = () => form;
  const schema: StandardJsonSchemaV1<Content> = {
    '~standard': {
      version: 1,
      vendor: 'parley',
      validate(value) {
        const problems = problemsOf(form, value);
        const issues = isObject(value) && problems.length === 0 ? deeper(value) : problems;
        return isObject(value) && issues.length === 0 ? { value: read(value) as Content } : { issues };
      },
      jsonSchema: { input: described, output: described },
    },
  };
  const preset = [...fields].filter(
    ([
      ,
      {
        schema: { default: value },
      },
    ]) => value !== undefined,
  );
  const defaults = read(
    Object.fromEntries(
      preset.map(
        ([
          name,
          {
            schema: { default: value },
          },
        ]) => [name, value],
      ),
    ),
  );
  return { schema: Object.freeze(schema), defaults: defaults as Content };
}

/** Reads the fields of one form. A circle, or what is made to keep us busy, reads as text after so many steps. */
class FieldReader {
  readonly #root: JsonSchema;
  #left = BUDGET;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Without references, null, and what combines one schema alone. */
  folded(node: unknown): JsonSchema {
    if (this.#left-- <= 0) return {};
    let at: JsonSchema = isObject(node) ? node : {};
    for (let folds = 0; folds < MOST_FOLDS; folds++) {
      const { $ref, allOf, anyOf, oneOf, ...rest } = at;
      const inner = typeof $ref === 'string' ? [pointed(this.#root, $ref)] : onlyOf(allOf ?? anyOf ?? oneOf);
      // The only choice is still one, with its title.
      if (inner?.length !== 1 || (isObject(inner[0]) && inner[0].const !== undefined)) break;
      at = { ...(isObject(inner[0]) ? inner[0] : {}), ...rest };
    }
    const { default: preset, type, ...rest } = at;
    const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
    return {
      ...rest,
      ...defined({ default: preset ?? undefined, type: types.length === 1 ? types[0] : types }),
    };
  }

  fieldOf(node: JsonSchema, depth = 0): Field {
    const choices = this.#choicesOf(node, depth);
    if (choices) return choiceField(node, choices);
    if (node.type === 'array') return this.#list(node, depth);
    const { anyOf, oneOf, type, default: preset, ...rest } = node;
    if (SCALARS.includes(type)) return { schema: node, read: (value) => value };
    // One of several, or anything: a text can be all of them.
    const types: unknown[] = [type, onlyOf(anyOf ?? oneOf)?.map((one) => this.folded(one).type)]
      .flat(2)
      .filter(Boolean);
    if (types.includes('object')) return this.#json(node);
    if (types.length > 0 && types.every((one) => one === 'integer' || one === 'number'))
      return { schema: { ...rest, ...defined({ default: preset }), type: 'number' }, read: (value) => value };
    const text = preset === undefined ? undefined : textOf(preset);
    return {
      schema: { ...rest, type: 'string', ...defined({ default: text }) },
      read: types.length === 0 || types.includes('string') ? (value) => value : numberIn,
    };
  }

  #list(node: JsonSchema, depth: number): Field {
    const { schema, read } = this.fieldOf(depth < DEEPEST ? this.folded(node.items) : {}, depth + 1);
    if (schema.multiline) return this.#json(node);
    const isText = schema.type === 'string';
    return {
      schema: { ...node, items: isText ? schema : { type: 'string' } },
      read: (value) => (Array.isArray(value) ? value.map(isText ? read : numberIn) : value),
    };
  }

  /** Forms do not nest: fields within a field are entered as text. */
  #json(node: JsonSchema): Field {
    const { title, description, default: preset } = node;
    const words = [description, `Enter JSON, such as ${JSON.stringify(preset ?? this.#example(node))}`];
    return {
      schema: {
        type: 'string',
        multiline: true,
        description: words.filter(Boolean).join('. '),
        ...defined({ title, default: preset === undefined ? undefined : JSON.stringify(preset) }),
      },
      read: (value) => jsonIn(value) ?? value,
      check(value) {
        const read = jsonIn(value);
        return read === undefined ? [{ message: 'it is not JSON' }] : issuesAt(node, read, []);
      },
    };
  }

  #example(given: unknown, depth = 0): unknown {
    const { type, properties, items, enum: values, const: only = [values].flat()[0] } = this.folded(given);
    if (only !== undefined || depth > DEEPEST) return only ?? null;
    if (type === 'array') return [this.#example(items, depth + 1)];
    if (type !== 'object') return EXAMPLES[String(type)] ?? 'text';
    const some = Object.entries(isObject(properties) ? properties : {}).slice(0, SHOWN);
    return Object.fromEntries(some.map(([name, one]) => [name, this.#example(one, depth + 1)]));
  }

  /** The values that a field may have, where its schema names them. */
  #choicesOf(
    { type, enum: values, const: only, anyOf, oneOf }: JsonSchema,
    depth: number,
  ): readonly Choice[] | undefined {
    if (type === 'array' || depth > DEEPEST) return undefined;
    if (Array.isArray(values)) return values.filter((value) => value !== null).map((value) => ({ value }));
    if (only !== undefined) return [{ value: only }];
    const found = onlyOf(oneOf ?? anyOf)?.map((member) => {
      const { title, description, ...one } = this.folded(member);
      return { of: this.#choicesOf(one, depth + 1), title: title ?? description };
    });
    if (!found?.length || found.some(({ of }) => !of)) return undefined;
    return found.flatMap(({ of = [], title }) =>
      of.map((one) => (of.length === 1 && typeof title === 'string' ? { ...one, title } : one)),
    );
  }
}

function onlyOf(members: unknown): readonly unknown[] | undefined {
  return Array.isArray(members)
    ? members.filter((one) => !(isObject(one) && one.type === 'null'))
    : undefined;
}

interface Choice {
  readonly value: unknown;
  readonly title?: string;
}

/** Choices of the protocol are texts: any other value is named by its text. */
function choiceField(
  { title, description, default: preset, enumNames }: JsonSchema,
  choices: readonly Choice[],
): Field {
  const byText = new Map(choices.map(({ value }) => [textOf(value), value]));
  const isTitled = choices.some((one) => one.title !== undefined);
  const named = isTitled
    ? { oneOf: choices.map((one) => ({ const: textOf(one.value), title: one.title ?? textOf(one.value) })) }
    : { enum: [...byText.keys()], ...defined({ enumNames }) };
  const chosen = preset === undefined ? undefined : textOf(preset);
  return {
    schema: { type: 'string', ...defined({ title, description, default: chosen }), ...named },
    read: (value) => (typeof value === 'string' && byText.has(value) ? byText.get(value) : value),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

function jsonIn(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

/** A form without fields: the person agrees, or does not. */
export const emptyForm = () => foreignForm({ type: 'object', properties: {} }).schema;
