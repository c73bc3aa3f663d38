import type { JsonSchema } from '#src/core/messages/json.ts';
import { formOf } from '#src/core/page/form-of.ts';
import { EVERYTHING } from '#src/runtime/session/capabilities.ts';
import type { Client } from '#src/runtime/session/client.ts';

/** A person and a model who answer anything with something that fits, the same for the same seed and question. */
export function anyPerson(seed: number): Client {
  return {
    name: `person ${seed}`,
    capabilities: () => EVERYTHING,
    can: () => true,
    *elicit(ask) {
      const pick = picks(`${seed} ${ask.id} ${ask.attempt}`);
      const mood = pick(12);
      if (mood === 0) return { action: 'decline' };
      if (mood === 1) return { action: 'cancel' };
      return { action: 'accept', content: valueFor(formOf(ask.request) as JsonSchema, pick) };
    },
    *sample(ask) {
      const pick = picks(`${seed} ${ask.id}`);
      if (pick(9) === 0) throw new Error(`the model is tired of ${ask.id}`);
      const { tools = [] } = ask.request;
      const tool = tools[pick(Math.max(1, tools.length))];
      if (!tool)
        return { role: 'assistant', content: { type: 'text', text: `text ${pick(1000)}` }, model: 'm' };
      const input = valueFor(tool.inputSchema, pick) as Record<string, unknown>;
      const use = { type: 'tool_use' as const, id: `use-${pick(1000)}`, name: tool.name, input };
      return { role: 'assistant', content: [use], model: 'm', stopReason: 'toolUse' };
    },
    *roots() {
      return { roots: [{ uri: 'file:///folder' }] };
    },
  };
}

/** A question as it is on the wire of 2026-07-28. */
export interface WireAsk {
  readonly method: string;
  readonly params: {
    readonly requestedSchema?: JsonSchema;
    readonly tools?: readonly { readonly name: string; readonly inputSchema: JsonSchema }[];
  };
}

/** The same for who is asked over the wire: an answer that fits, the same for the same seed and question. */
export function anyWireAnswer(seed: number, key: string, { method, params }: WireAsk): object {
  const pick = picks(`${seed} ${key} ${JSON.stringify(params)}`);
  if (method === 'elicitation/create') {
    if (pick(12) === 0) return { action: 'decline' };
    return { action: 'accept', content: valueFor(params.requestedSchema ?? {}, pick) };
  }
  const { tools = [] } = params;
  const tool = tools[pick(Math.max(1, tools.length))];
  const said = { role: 'assistant', model: 'm' };
  if (!tool) return { ...said, content: { type: 'text', text: `text ${pick(1000)}` } };
  const input = valueFor(tool.inputSchema, pick);
  const use = { type: 'tool_use', id: `use-${pick(1000)}`, name: tool.name, input };
  return { ...said, content: [use], stopReason: 'toolUse' };
}

type Pick = (below: number) => number;

function picks(text: string): Pick {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 0) % below;
  };
}

/** A value of each format that forms have. */
const formats: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uri: 'https://example.com/ada',
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
};

function valueFor(schema: JsonSchema, pick: Pick): unknown {
  const {
    type,
    properties,
    required,
    minimum = 1,
    minLength = 1,
    format = '',
    items,
  } = schema as Partial<{
    type: string;
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    minimum: number;
    minLength: number;
    format: string;
    items: JsonSchema;
  }>;
  const choices = choicesOf(schema);
  if (choices) return choices[pick(choices.length)];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {})
          .filter(([name]) => required?.includes(name) || pick(2) === 0)
          .map(([name, field]) => [name, valueFor(field, pick)]),
      );
    case 'array':
      return items ? [valueFor(items, pick)] : [];
    case 'boolean':
      return pick(2) === 0;
    case 'integer':
    case 'number':
      return minimum;
    default:
      return formats[format] ?? 'x'.repeat(Math.max(1, minLength));
  }
}

function choicesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  const titled = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(titled)) return undefined;
  return titled.map((one: { const?: unknown }) => one.const);
}
