import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { askUser } from '#src/tools/ask-user/tool.ts';

const load = createRequire(import.meta.url);
const { fromSchema }: { fromSchema: (schema: object, prompt?: string) => unknown } = load(
  '../../../examples/demo-model/from-schema.cjs',
);
const { answer }: { answer: (request: object) => { text?: string; toolCalls?: unknown[] } } = load(
  '../../../examples/demo-model/answer.cjs',
);

const schemas: Record<string, z.ZodType> = {
  'strings with formats and lengths': z.object({
    mail: z.email(),
    page: z.url(),
    day: z.iso.date(),
    short: z.string().max(3),
    long: z.string().min(40),
  }),
  'numbers with limits': z.object({
    small: z.int().min(3).max(4),
    above: z.number().gt(1.5),
    below: z.number().max(-2),
    even: z.int().multipleOf(2).min(3),
  }),
  'patterns of names': z.object({
    key: z.string().regex(/^[a-z][a-zA-Z0-9_]*$/),
    file_name: z.string().regex(/^\w+$/),
  }),
  choices: z.object({
    one: z.enum(['a', 'b']),
    many: z.array(z.enum(['x', 'y'])).min(2),
    only: z.literal('me'),
  }),
  'nested objects and lists': z.object({
    list: z.array(z.object({ yes: z.boolean() })).min(1),
    none: z.null(),
  }),
  'unions and optional fields': z.object({
    either: z.union([z.string(), z.number()]),
    maybe: z.string().optional(),
  }),
};

describe('the demo model makes a value of a schema', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    it(`with ${name}`, () => {
      const value = fromSchema(z.toJSONSchema(schema));
      expect(schema.safeParse(value)).toMatchObject({ success: true });
    });
  }

  it('with the words of the prompt where they fit', () => {
    const flight = z.toJSONSchema(z.object({ from: z.string(), destination: z.string() }));
    expect(fromSchema(flight, 'Book a flight from BER to JFK')).toEqual({ from: 'BER', destination: 'JFK' });
  });
});

describe('the demo model answers', () => {
  const ask = (text: string, more: object = {}) =>
    answer({
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      tools: [],
      toolMode: 'auto',
      ...more,
    });

  it('a request for a tip with one that names the destination', () => {
    expect(ask('One travel tip for Lisbon').text).toContain('Lisbon');
    expect(ask('A tip for somebody who flies to Reykjavik').text).toContain('Reykjavik');
  });

  it('a prompt that names a tool by its words with a call of it', () => {
    const tools = [
      { name: 'read_file' },
      { name: 'mcp_parley_book_flight', inputSchema: { type: 'object' } },
    ];
    expect(ask('Please book me a flight', { tools }).toolCalls).toEqual([
      { name: 'mcp_parley_book_flight', input: {} },
    ]);
    expect(ask('Good morning', { tools }).toolCalls).toBeUndefined();
  });

  it('a prompt that runs a tool by its name with a call of it, whatever the editor puts before the name', () => {
    for (const name of ['mcp_parley_book_flight', 'Parley--workspace-book_flight', 'book_flight']) {
      const [called] = ask('please run book_flight', { tools: [{ name }] }).toolCalls ?? [];
      expect(called).toMatchObject({ name });
    }
  });

  it.each(['ask_user', 'askWithForm'])(
    'the prompt of the README with a form of its two questions, where the tool is %s',
    (name) => {
      const prompt =
        'use #askWithForm to ask me what this project should be called, and which license it gets';
      const { json, schema } = askUser.def.parameters;
      const [called] = ask(prompt, { tools: [{ name, inputSchema: json }] }).toolCalls as {
        input: unknown;
      }[];
      const { fields } = z.parse(schema as z.ZodType<{ fields: { name: string }[] }>, called?.input);
      expect(fields.map(({ name }) => name)).toEqual(['name', 'license']);
    },
  );

  it('a diff with the message of its commit', () => {
    const schema = z.object({
      type: z.enum(['feat', 'fix', 'docs']),
      scope: z.string().regex(/^\w+$/).optional(),
      summary: z.string().max(100),
    });
    const diff = 'diff --git a/notes.md b/notes.md\n--- a/notes.md\n+++ b/notes.md\n+more';
    const tools = [{ name: 'answer', inputSchema: z.toJSONSchema(schema) }];
    const [called] = ask(`Write the message of a commit with these changes:\n\n${diff}`, {
      tools,
      toolMode: 'required',
    }).toolCalls as { input: unknown }[];
    expect(called?.input).toEqual({ type: 'docs', summary: 'update notes.md' });
  });

  it('a request for a tip about lunch with one that fits the meal', () => {
    expect(ask('Give one tip for a lunch: Thai, 2 people, inside. One sentence.').text).toContain('papaya');
    expect(ask('Where in Lisbon to have lunch? Italian, outside. One sentence.').text).toContain('pasta');
  });

  it('a prompt that carries a JSON Schema with JSON', () => {
    const schema = z.object({ score: z.int().min(1).max(5) });
    const said = ask(`Answer with JSON only, by this schema: ${JSON.stringify(z.toJSONSchema(schema))}`);
    expect(schema.safeParse(JSON.parse(said.text ?? ''))).toMatchObject({ success: true });
  });
});
