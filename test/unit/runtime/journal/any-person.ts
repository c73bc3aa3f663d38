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

type Pick = (below: number) => number;

function picks(text: string): Pick {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 0) % below;
  };
}

function valueFor(schema: JsonSchema, pick: Pick): unknown {
  const {
    type,
    properties,
    required,
    minimum = 1,
    minLength = 1,
    items,
  } = schema as Partial<{
    type: string;
    properties: Readonly<Record<string, JsonSchema>>;
    required: readonly string[];
    minimum: number;
    minLength: number;
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
      return 'x'.repeat(Math.max(1, minLength));
  }
}

function choicesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  const titled = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(titled)) return undefined;
  return titled.map((one: { const?: unknown }) => one.const);
}
