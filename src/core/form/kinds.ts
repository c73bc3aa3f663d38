import * as z from 'zod/mini';
import type { JsonSchema } from '../messages/json.ts';
import { type Compiled, type FieldKind, labels, type Resolve } from './field-kind.ts';
import { choiceKind, choicesKind } from './kinds/choices.ts';
import { filesKind } from './kinds/files.ts';
import { jsonKind } from './kinds/json.ts';
import { listKind } from './kinds/list.ts';
import { numberKind } from './kinds/number.ts';
import { textKind } from './kinds/text.ts';
import { yesNoKind } from './kinds/yes-no.ts';

/** All kinds. The first that matches is it: a choice is a text with more to it. */
const kinds = [
  filesKind,
  jsonKind,
  choiceKind,
  choicesKind,
  textKind,
  numberKind,
  yesNoKind,
  listKind,
] as const;

/** One field of a form. */
export type FormProperty = Readonly<z.infer<(typeof kinds)[number]['schema']>>;

const KINDS: readonly FieldKind<FormProperty>[] = kinds;

/** One field of a form, as data. */
export const formProperty = z.union(kinds.map(({ schema }) => z.readonly(schema)));

/** The kind of a field. */
export function kindOfField(property: FormProperty): FieldKind<FormProperty> | undefined {
  return KINDS.find(({ schema }) => schema.safeParse(property).success);
}

/** Compiles one property. Reads only what it knows: annotations of others pass by. */
export function compileProperty(raw: JsonSchema, resolve: Resolve): Compiled<FormProperty> {
  const node = resolve(raw);
  for (const { compile, fits } of KINDS) {
    const compiled = compile(node, resolve);
    if (compiled === undefined) continue;
    if (typeof compiled === 'string') return compiled;
    // What a kind compiles is a field of it, but for what all fields have.
    const property = { ...labels(node), ...compiled } as FormProperty;
    // zod's default is of the output's type, which a transform may change.
    return fits(property, node.default) ? ({ ...property, default: node.default } as FormProperty) : property;
  }
  return whyNone(node, resolve);
}

function whyNone(node: JsonSchema, resolve: Resolve): string {
  const combined = node.anyOf ?? node.oneOf;
  const types = Array.isArray(combined) ? combined.map((member) => resolve(member).type) : node.type;
  if (Array.isArray(types)) return types.includes('null') ? NO_NULL : ONE_TYPE;
  if (node.not !== undefined) return 'nothing can be entered there: leave it out';
  if (types === 'null') return NO_NULL;
  if (types === 'object')
    return 'forms do not nest: make a field of each of its properties, or one of all of it, json(schema)';
  return 'say what it is: z.string(), z.number(), z.boolean(), z.enum([…]) or z.array(z.enum([…])); json(schema) takes any data';
}

const NO_NULL = 'a form has no null: use .optional() for a field that may be left empty';
const ONE_TYPE = 'a field has one type: use z.enum([…]) for a choice, or a field for each alternative';
