import * as z from 'zod/mini';
import type { JsonSchema } from '../../messages/json.ts';
import { defined } from '../../schema/defined.ts';
import { isObject } from '../../schema/is-object.ts';
import {
  describedAs,
  type FieldKind,
  isCount,
  isString,
  isTrue,
  keywordsOf,
  labels,
  type Resolve,
} from '../field-kind.ts';
import { common, flag, several, texts, words } from './keywords.ts';

/** What stands beside a choice, so that the person sees what it means. An image is a `data:` address. */
export const preview = z.readonly(
  z.object({ kind: z.enum(['code', 'diff', 'markdown', 'image']), text: z.string(), language: words }),
);
/** What stands beside a choice. */
export type Preview = z.infer<typeof preview>;

const titledConst = z.readonly(
  z.object({
    const: z.string(),
    title: z.string(),
    // Hints
    description: words,
    recommended: flag,
    preview: z.exactOptional(preview),
  }),
);
/** A value, what people call it, and what helps them to choose it. */
export type TitledConst = z.infer<typeof titledConst>;

const all = z.readonly(z.array(titledConst));

/** Hint: `other`, words of the person's own answer it, too. */
const select = { type: z.literal('string'), ...common, default: words, other: flag };
const single = z.union([
  z.readonly(z.object({ ...select, oneOf: all })),
  /** `enumNames` is the legacy way to name choices, still read. */
  z.readonly(z.object({ ...select, enum: texts, enumNames: z.exactOptional(texts) })),
]);

const multi = z.object({
  ...several,
  items: z.union([
    z.readonly(z.object({ anyOf: all })),
    z.readonly(z.object({ type: z.literal('string'), enum: texts })),
  ]),
  // Hint: the order of the answer is the person's preference.
  ordered: flag,
});
/** Any number of choices out of several. */
export type MultiSelectProperty = Readonly<z.infer<typeof multi>>;

/** One of some given texts. */
export const choiceKind = {
  schema: single,
  drawn: 'choice',
  compile(node, resolve) {
    const problem = enumNamesProblem(node);
    if (problem !== undefined) return problem;
    const choices = choicesOf(node, resolve);
    if (choices === undefined) return undefined;
    const values = choices.map((one) => one.const);
    return {
      type: 'string',
      ...keywordsOf(node, isTrue, 'other'),
      ...(legacyNames(node, values) ??
        (isTitled(choices) ? { oneOf: choices.map(titled) } : { enum: values })),
    };
  },
  fits: (property, value) => isAmong('enum' in property ? property.enum : property.oneOf, value),
  called: 'choice of it',
  wire: (property) =>
    'oneOf' in property ? { ...property, oneOf: property.oneOf.map(withoutHints) } : property,
  fromWire: (value, property) =>
    isString(value) ? chosen(labelled(property), value, property.other === true) : value,
} satisfies FieldKind<z.infer<typeof single>>;

/** Any number of some given texts. */
export const choicesKind = {
  schema: multi,
  drawn: 'choices',
  compile(node, resolve) {
    if (node.type !== 'array' || !isObject(node.items)) return undefined;
    const items = resolve(node.items);
    const problem = enumNamesProblem(items);
    if (problem !== undefined) return problem;
    const found = choicesOf(items, resolve);
    return (
      found && {
        type: 'array',
        ...keywordsOf(node, isCount, 'minItems', 'maxItems'),
        ...keywordsOf(node, isTrue, 'ordered'),
        items: isTitled(found)
          ? { anyOf: found.map(titled) }
          : { type: 'string', enum: found.map((one) => one.const) },
      }
    );
  },
  fits: ({ items }, value) =>
    Array.isArray(value) && value.every((one) => isAmong('enum' in items ? items.enum : items.anyOf, one)),
  called: 'list of its choices',
  wire: (property) =>
    'anyOf' in property.items
      ? { ...property, items: { anyOf: property.items.anyOf.map(withoutHints) } }
      : property,
  lower: ({ title, description, items, default: preset = [] }) => {
    const choices = labelled(items);
    const named = (value: string) => choices.find(([one]) => one === value)?.[1] ?? value;
    const all = choices.map(([, label]) => label).join(', ');
    return {
      type: 'string',
      description: describedAs(description, `any of these, with commas between: ${all}`),
      ...defined({ title }),
      ...(preset.length > 0 && { default: preset.map(named).join(', ') }),
    };
  },
  fromWire: (value, { items }) => {
    const choices = labelled(items);
    if (isString(value)) return taken(choices, value);
    return Array.isArray(value) ? value.map((one) => (isString(one) ? chosen(choices, one) : one)) : value;
  },
} satisfies FieldKind<MultiSelectProperty>;

type Labelled = readonly (readonly [value: string, label: string])[];

interface Choosable {
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly TitledConst[];
  readonly anyOf?: readonly TitledConst[];
}

/** The choices of a field, with what people call them. */
function labelled({ enum: values = [], enumNames = [], oneOf, anyOf }: Choosable): Labelled {
  const named = (oneOf ?? anyOf)?.map((one) => [one.const, one.title] as const);
  return named ?? values.map((value, at) => [value, enumNames[at] ?? value]);
}

/** The value of what somebody chose, by itself or by its label; what is none stays. */
function chosen(choices: Labelled, said: string, exactly = false): string {
  if (choices.some(([value]) => value === said)) return said;
  const isSame = exactly ? (one: string) => one === said : (one: string) => isAlike(one, said);
  const found = choices.filter(([value, label]) => isSame(value) || isSame(label));
  return found.length === 1 && found[0] ? found[0][0] : said;
}

function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** The values of a text of choices, with commas or line ends between; a label may have commas of its own. */
function taken(choices: Labelled, text: string): string[] {
  const known = choices.flat().sort((one, other) => other.length - one.length);
  const values: string[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const begins = known.filter(
      (one) => isAlike(rest.slice(0, one.length), one) && /^\s*(?:[,\n]|$)/.test(rest.slice(one.length)),
    );
    const next = begins.find((one) => rest.startsWith(one)) ?? begins[0];
    const said = next ?? rest.split(/[,\n]/, 1)[0] ?? rest;
    if (said.trim() !== '') values.push(chosen(choices, said.trim()));
    rest = rest
      .slice(said.length)
      .replace(/^\s*[,\n]\s*/, '')
      .trim();
  }
  return values;
}

function isAmong(given: readonly (string | TitledConst)[], value: unknown): boolean {
  return given.some((one) => value === (isString(one) ? one : one.const));
}

function withoutHints({ const: value, title }: TitledConst): TitledConst {
  return { const: value, title };
}

/** What is wrong with the names that a field gives to its choices, in the words of its author; nothing, as a rule. */
function enumNamesProblem(node: JsonSchema): string | undefined {
  for (const keyword of ['enumNames', 'legacyEnumNames'] as const) {
    const names = node[keyword];
    if (names === undefined) continue;
    if (!Array.isArray(names) || !names.every(isString)) return `${keyword} is a list of texts`;
    if (!Array.isArray(node.enum)) {
      return `${keyword} names the choices of an enum: put it there, z.array(z.enum([…]).meta({ ${keyword}: […] }))`;
    }
    if (names.length !== node.enum.length) {
      return `${keyword} has ${names.length} names for ${node.enum.length} choices: name each of them`;
    }
  }
  return undefined;
}

/** `.meta({ legacyEnumNames: […] })`: titles the way clients from before 2025-11-25 read them. */
function legacyNames(
  { legacyEnumNames: names }: JsonSchema,
  values: readonly string[],
): { readonly enum: readonly string[]; readonly enumNames: readonly string[] } | undefined {
  if (!Array.isArray(names) || names.length !== values.length || !names.every(isString)) return undefined;
  return { enum: values, enumNames: names };
}

interface Choice {
  readonly const: string;
  readonly title?: string | undefined;
  readonly hints?: Omit<TitledConst, 'const' | 'title'>;
}

/** What helps to choose: `z.literal('a').meta({ title, description, recommended, preview })`. */
function choiceHints(node: JsonSchema): Omit<TitledConst, 'const' | 'title'> {
  const { description } = labels(node);
  const shown = preview.safeParse(node.preview);
  return {
    ...(isString(node.title) ? defined({ description }) : {}),
    ...keywordsOf(node, isTrue, 'recommended'),
    ...(shown.success ? { preview: shown.data } : {}),
  };
}

/** The choices of an enum, a literal, or a union of both. */
function choicesOf(node: JsonSchema, resolve: Resolve): readonly Choice[] | undefined {
  if (isString(node.const)) {
    const title = [node.title, node.description].find(isString);
    return [{ const: node.const, title, hints: choiceHints(node) }];
  }
  if (Array.isArray(node.enum) && node.enum.length > 0 && node.enum.every(isString)) {
    const names = Array.isArray(node.enumNames) ? node.enumNames : [];
    return node.enum.map((value, i) => ({ const: value, title: isString(names[i]) ? names[i] : undefined }));
  }
  const members = node.anyOf ?? node.oneOf;
  if (!Array.isArray(members) || members.length === 0) return undefined;
  const found: Choice[] = [];
  for (const member of members) {
    const more = choicesOf(resolve(member), resolve);
    if (more === undefined) return undefined;
    found.push(...more.filter((one) => !found.some((known) => known.const === one.const)));
  }
  return found;
}

function isTitled(choices: readonly Choice[]): boolean {
  return choices.some((choice) => choice.title !== undefined);
}

function titled(choice: Choice): TitledConst {
  return { const: choice.const, title: choice.title ?? choice.const, ...choice.hints };
}
