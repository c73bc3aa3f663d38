import { toError } from '../errors/parley-error.ts';
import type { JsonValue } from '../messages/json.ts';
import { defined } from '../schema/defined.ts';
import { isObject } from '../schema/is-object.ts';
import type { Issue } from '../schema/validate.ts';
import { type DrawnKind, describedAs } from './field-kind.ts';
import type { FormJsonSchema } from './form-schema.ts';
import { type FormProperty, kindOfField } from './kinds.ts';

/** The keywords of MCP's restricted schema (2025-11-25, `PrimitiveSchemaDefinition`), lists of choices included. */
const KEYWORDS = new Set([
  ...['type', 'title', 'description', 'default', 'format', 'enum', 'enumNames', 'oneOf', 'items'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
]);

/** What a client draws of forms: kinds of fields, and those that begin with their default; all where nothing is said. */
interface Drawing {
  readonly fields?: readonly DrawnKind[];
  readonly defaults?: readonly DrawnKind[];
  /** Nothing is sent while the last field, by its name, is an empty text. */
  readonly emptyText?: false;
}

/**
 * A form as any MCP client understands it: without Parley's hints, and with a list of texts as one text of lines,
 * and the heading of a page with the first of its fields. For a client that draws less, fields are texts and defaults
 * words: {@link fromWireForm} reads what was put in.
 */
export function wireForm(form: FormJsonSchema, drawing: Drawing = {}): FormJsonSchema {
  if (drawing.fields || drawing.defaults) return wireFormOf(form, drawing);
  const known = made.get(form);
  if (known) return known;
  const wire = Object.freeze(wireFormOf(form));
  // A tool asks with the form that it declares; what could still be changed is made anew.
  if (Object.isFrozen(form)) made.set(form, wire);
  return wire;
}

const made = new WeakMap<FormJsonSchema, FormJsonSchema>();

function wireFormOf(
  { type, properties, required, replies }: FormJsonSchema,
  drawing: Drawing = {},
): FormJsonSchema {
  let page: string | undefined;
  const fields = Object.entries(properties).map(([name, property]) => {
    const begins = property.page !== undefined && property.page !== page;
    page = property.page ?? page;
    const field = wireProperty(property, drawing);
    const description = begins && page ? [page, field.description].filter(Boolean).join('\n') : undefined;
    return [name, Object.freeze({ ...field, ...defined({ description }) })] as const;
  });
  if (drawing.emptyText === false) {
    const name = lastName(properties);
    const last = fields.find(([one]) => one === name)?.[1];
    const mayBeEmpty =
      last?.type === 'string' && !('enum' in last || 'oneOf' in last) && !required?.includes(name);
    if (mayBeEmpty) fields.push([sendName(properties), SEND]);
  }
  // Who replies fills in nothing else: what has to be there is seen to when it is answered.
  else if (replies !== undefined)
    return { type, properties: Object.fromEntries([...fields, [replies, REPLY]]) };
  return { type, properties: Object.freeze(Object.fromEntries(fields)), ...defined({ required }) };
}

const REPLY = {
  type: 'string',
  title: 'Reply instead',
  description:
    'To ask back or to say something else: what is written here is sent, and nothing of the other fields',
} as const;

/** What sends a form where an empty text would keep it from being sent. */
const SEND = Object.freeze({ type: 'string', title: 'Send', enum: ['Send'] }) as FormProperty;

const lastName = (properties: object) => Object.keys(properties).sort().at(-1) ?? '';
const sendName = (properties: object) => `${lastName(properties)}_send`;

/** A form that takes replies: in a field whose name no other one has, and the last one, by its name, too. */
export function withReplies(form: FormJsonSchema): FormJsonSchema {
  const last = lastName(form.properties);
  return { ...form, replies: last < 'reply' ? 'reply' : `${last}_reply` };
}

/**
 * The answer to a form as clients send it: the lines of a text for a list, a number or a choice in words, the label of a
 * choice for its value; and nothing, `null` or an empty text, for a field that was left empty.
 *
 * @throws words for the person, about a text that is no value of its field
 */
export function fromWireForm({ properties, required }: FormJsonSchema, content: JsonValue): JsonValue {
  if (!isObject(content)) return content;
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const kind = property && kindOfField(property);
      if (!property && name === sendName(properties)) return [];
      if (value === undefined || !property || !kind) return [[name, value]];
      if (value === null || (value === '' && !takesEmpty(kind.drawn, property, required?.includes(name))))
        return [];
      try {
        return [[name, kind.fromWire?.(value, property) ?? value]];
      } catch (error) {
        throw new SyntaxError(`${name}: ${toError(error).message}`);
      }
    }),
  );
}

/** A time with its offset, or a day as the midnight that it begins with. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?$/i;

/**
 * An answer with those times in UTC, and days without their midnight, that its schema does not take as they were sent; nothing
 * where none is among them.
 */
export function readTimes(
  { properties }: FormJsonSchema,
  content: JsonValue,
  issues: readonly Issue[],
): JsonValue | undefined {
  if (!isObject(content)) return undefined;
  const read = issues.flatMap(({ path }) => {
    const property = Object.hasOwn(properties, path) ? properties[path] : undefined;
    const format = property && 'format' in property ? property.format : undefined;
    const text = String(content[path]);
    const day = format === 'date' ? MIDNIGHT.exec(text)?.[1] : undefined;
    if (day !== undefined) return [[path, day]];
    if (format !== 'date-time' || !TIME.test(text) || Number.isNaN(Date.parse(text))) return [];
    return [[path, new Date(text).toISOString().replace('.000Z', 'Z')]];
  });
  return read.length > 0 ? { ...content, ...Object.fromEntries(read) } : undefined;
}

/** Whether an empty text is a value of a field, and not one that was left empty. */
function takesEmpty(drawn: DrawnKind, property: FormProperty, isRequired = false): boolean {
  if (drawn === 'choice') return 'enum' in property && property.enum.includes('');
  return (
    drawn === 'text' &&
    !('json' in property || 'attachment' in property) &&
    (isRequired || !('format' in property || 'minLength' in property))
  );
}

function wireProperty(property: FormProperty, { fields, defaults }: Drawing): FormProperty {
  const kept = Object.fromEntries(
    Object.entries(property).filter(([keyword]) => KEYWORDS.has(keyword)),
  ) as FormProperty;
  const kind = kindOfField(property);
  const wire = kind?.wire?.(kept, property) ?? kept;
  if (!kind) return wire;
  const isLowered = kind.lower !== undefined && fields?.includes(kind.drawn) === false;
  const sent = isLowered ? (kind.lower?.(wire) ?? wire) : wire;
  const { default: preset, ...without } = sent;
  if (preset === undefined || defaults?.includes(isLowered ? 'text' : kind.drawn) !== false) return sent;
  return {
    ...without,
    description: describedAs(sent.description, `proposed: ${String(preset)}`),
  } as FormProperty;
}
