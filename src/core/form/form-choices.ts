import type { JsonSchema } from '../messages/json.ts';
import { defined } from '../schema/defined.ts';
import { isObject } from '../schema/is-object.ts';
import { enumNamesProblem } from './enum-names.ts';
import {
  type Compiled,
  countKeyword,
  defaulted,
  flagKeyword,
  isString,
  labels,
  type Resolve,
} from './form-keywords.ts';
import {
  type MultiSelectProperty,
  preview,
  type SingleSelectProperty,
  type TitledConst,
} from './form-schema.ts';

/** Compiles a choice of one or several given texts; `undefined` for a property that is no such choice. */
export function compileChoices(
  node: JsonSchema,
  resolve: Resolve,
): Compiled<SingleSelectProperty | MultiSelectProperty> | undefined {
  if (node.type === 'array' && isObject(node.items)) {
    const names = enumNamesProblem(resolve(node.items));
    if (names !== undefined) return names;
    const choices = choicesOf(resolve(node.items), resolve);
    if (choices === undefined) return undefined;
    const values = choices.map((choice) => choice.const);
    return {
      type: 'array',
      ...labels(node),
      ...countKeyword(node, 'minItems'),
      ...countKeyword(node, 'maxItems'),
      ...flagKeyword(node, 'ordered'),
      items: isTitled(choices) ? { anyOf: choices.map(titled) } : { type: 'string', enum: values },
      ...defaulted(node, (value): value is string[] => isListOf(value, values)),
    };
  }
  const choices = choicesOf(node, resolve);
  if (choices === undefined) return undefined;
  const values = choices.map((choice) => choice.const);
  return {
    type: 'string',
    ...labels(node),
    ...flagKeyword(node, 'other'),
    ...defaulted(node, (value): value is string => isString(value) && values.includes(value)),
    ...(legacyNames(node, values) ?? (isTitled(choices) ? { oneOf: choices.map(titled) } : { enum: values })),
  };
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
    ...flagKeyword(node, 'recommended'),
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
  const choices: Choice[] = [];
  for (const member of members) {
    const found = choicesOf(resolve(member), resolve);
    if (found === undefined) return undefined;
    for (const choice of found)
      if (!choices.some((known) => known.const === choice.const)) choices.push(choice);
  }
  return choices;
}

function isTitled(choices: readonly Choice[]): boolean {
  return choices.some((choice) => choice.title !== undefined);
}

function titled(choice: Choice): TitledConst {
  return { const: choice.const, title: choice.title ?? choice.const, ...choice.hints };
}

function isListOf(value: unknown, values: readonly string[]): value is string[] {
  return Array.isArray(value) && value.every((item) => values.includes(item));
}
