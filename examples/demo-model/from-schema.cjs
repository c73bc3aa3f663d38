/**
 * A value that a JSON Schema admits, the same each time: defaults and first choices before invented ones.
 * Words of the prompt are used where they plainly fit (“from AMS to LIS”).
 */
exports.fromSchema = (schema, prompt = '') => make(schema, { root: schema, prompt, name: 'value', depth: 0 });

function make(schema, at) {
  if (typeof schema !== 'object' || schema === null) return sentence(at.name);
  if (schema.$ref !== undefined)
    return at.depth > 20 ? null : make(resolve(schema.$ref, at.root), deeper(at));
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return choice(schema.enum, at.prompt);
  const variants = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(variants) && variants.length > 0) {
    const constants = variants.map((variant) => variant.const).filter((value) => value !== undefined);
    return constants.length === variants.length
      ? choice(constants, at.prompt)
      : make(variants[0], deeper(at));
  }
  if (Array.isArray(schema.allOf)) return make(merge(schema), deeper(at));
  switch (kindOf(schema)) {
    case 'object':
      return object(schema, at);
    case 'array':
      return array(schema, at);
    case 'string':
      return string(schema, at);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sentence(at.name);
  }
}

const deeper = (at, name = at.name) => ({ ...at, name, depth: at.depth + 1 });

function kindOf(schema) {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type;
  if (type !== undefined) return type;
  if (schema.properties !== undefined) return 'object';
  return schema.items === undefined ? undefined : 'array';
}

function object(schema, at) {
  const required = new Set(schema.required ?? []);
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.has(name) || at.depth < 4,
  );
  return Object.fromEntries(wanted.map(([name, property]) => [name, make(property, deeper(at, name))]));
}

function array(schema, at) {
  const length = Math.max(schema.minItems ?? 1, schema.maxItems === 0 ? 0 : 1);
  const choices = schema.items?.enum ?? schema.items?.anyOf?.map((variant) => variant.const);
  if (Array.isArray(choices) && choices.every((value) => value !== undefined))
    return choices.slice(0, length);
  return Array.from({ length }, (_, index) =>
    make(schema.items ?? { type: 'string' }, deeper(at, `${at.name} ${index + 1}`)),
  );
}

function number(schema) {
  const step = schema.multipleOf ?? (kindOf(schema) === 'integer' ? 1 : undefined);
  const above = schema.exclusiveMinimum === undefined ? -Infinity : schema.exclusiveMinimum + (step ?? 0.5);
  const lowest = Math.max(schema.minimum ?? -Infinity, above);
  const highest = Math.min(schema.maximum ?? Infinity, schema.exclusiveMaximum ?? Infinity);
  const wish = lowest > 1 ? lowest : Math.min(1, highest);
  const value = Math.max(wish, lowest);
  return step === undefined ? value : Math.ceil(value / step) * step;
}

const formats = {
  email: 'demo@example.com',
  uri: 'https://example.com/',
  date: '2030-06-01',
  'date-time': '2030-06-01T09:00:00Z',
  time: '09:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function string(schema, at) {
  const fits = (text) => schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text);
  const text =
    formats[schema.format] ??
    [fromPrompt(at), sentence(at.name), camel(at.name)].find((one) => one && fits(one)) ??
    camel(at.name);
  const padded = text.padEnd(schema.minLength ?? 0, '.');
  return schema.maxLength === undefined ? padded : padded.slice(0, schema.maxLength);
}

/** “from AMS to LIS”, “fly to Lisbon”: the two words that travel tools ask for. */
function fromPrompt({ name, prompt }) {
  if (/^(from|origin|departure)$/i.test(name)) return /\bfrom\s+([A-Z][\w-]*)/.exec(prompt)?.[1] ?? 'AMS';
  if (/^(to|destination|arrival)$/i.test(name)) return /\bto\s+([A-Z][\w-]*)/.exec(prompt)?.[1] ?? 'LIS';
  // “Count the words of: to be or not to be” means what follows the colon.
  if (/^(query|question|prompt|text|message)$/i.test(name) && prompt !== '')
    return /:\s+(.+)$/s.exec(prompt)?.[1] ?? prompt;
  return undefined;
}

/** The choice that the prompt names, or the first. */
const choice = (values, prompt) =>
  values.find((value) => typeof value === 'string' && value !== '' && prompt.includes(value)) ?? values[0];

const sentence = (name) =>
  `Sample ${name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()}`;

/** `field 1` as `field1`: what most patterns of names admit. */
const camel = (name) => name.replace(/[^a-zA-Z0-9]+(.)?/g, (_, next = '') => next.toUpperCase());

function merge(schema) {
  const { allOf, ...merged } = schema;
  for (const { properties, required, ...rest } of allOf) {
    Object.assign(merged, rest);
    merged.properties = { ...merged.properties, ...properties };
    merged.required = [...(merged.required ?? []), ...(required ?? [])];
  }
  return merged;
}

function resolve(reference, root) {
  const path = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return path.reduce((value, key) => value?.[key.replace(/~1/g, '/').replace(/~0/g, '~')], root);
}
