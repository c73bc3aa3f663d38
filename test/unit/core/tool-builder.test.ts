import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import {
  createMcpResource,
  createMcpResourceTemplate,
  createMcpTool,
  isTool,
  ToolDefinitionError,
} from '#src/core/index.ts';

const start = createMcpTool('book')
  .description('Books.')
  .parameters(z.object({ from: z.string() }));

/** The message of the definition error that `define` throws. */
function refusal(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolDefinitionError);
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}

describe('createMcpTool', () => {
  it('makes frozen data that holds all there is to a tool', () => {
    const tool = start
      .title('Book a flight')
      .icon('airplane')
      .annotations({ readOnlyHint: true })
      .summary('Finds a flight and books it.')
      .editor({ tags: ['travel'], reference: 'book', accepts: ['selection', 'file'] })
      .requires({ elicitation: true })
      .limits({ timeout: 1000, maxDepth: 0, maxTokens: 10 })
      .output(z.object({ ticket: z.string() }))
      .elicits({ pick: z.object({ flight: z.string() }) })
      .execute(function* () {
        return { ticket: 'x' };
      });
    expect(tool.def).toMatchObject({
      name: 'book',
      description: 'Books.',
      title: 'Book a flight',
      icon: 'airplane',
      annotations: { readOnlyHint: true },
      summary: 'Finds a flight and books it.',
      editor: { tags: ['travel'], reference: 'book', accepts: ['selection', 'file'] },
      requires: { elicitation: true },
      limits: { timeout: 1000, maxDepth: 0, maxTokens: 10 },
      parameters: { json: { type: 'object', properties: { from: { type: 'string' } }, required: ['from'] } },
      output: { json: { type: 'object', properties: { ticket: { type: 'string' } } } },
      elicits: { pick: { key: 'pick', context: undefined, json: { type: 'object', required: ['flight'] } } },
      body: { kind: 'execute' },
    });
    expect(isTool(tool)).toBe(true);
    for (const part of [tool, tool.def, tool.def.elicits, tool.def.limits, tool.def.editor.tags]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('can be continued in several ways from one step', () => {
    const asks = start.elicits({});
    const one = start.title('One').elicits({});
    expect(
      one.execute(function* () {
        return 1;
      }).def.title,
    ).toBe('One');
    expect(
      asks.execute(function* () {
        return 1;
      }).def.title,
    ).toBeUndefined();
  });

  it.each([['with space'], [''], ['x'.repeat(65)], ['naïve'], ['a.b'], [7 as unknown as string]])(
    'refuses the name %j',
    (name) => {
      expect(refusal(() => createMcpTool(name))).toContain('cannot name a tool');
    },
  );

  it('says which step to call first, whatever the types would have said', () => {
    // biome-ignore lint/suspicious/noExplicitAny: as JavaScript calls it
    const loose = (builder: unknown) => builder as any;
    const fresh = loose(createMcpTool('x'));
    expect(refusal(() => fresh.parameters(z.object({})))).toBe(
      "tool 'x': call .description() before .parameters()",
    );
    expect(refusal(() => fresh.title('t'))).toContain('call .description() before .title()');
    expect(refusal(() => fresh.execute(function* () {}))).toContain('call .description() before .execute()');
    expect(refusal(() => loose(start).execute(function* () {}))).toContain(
      'call .elicits() before .execute()',
    );
    expect(refusal(() => loose(start).handoff({}))).toContain('call .elicits() before .handoff()');
    expect(refusal(() => loose(start.title('a')).title('b'))).toContain('.title() was called before');
    expect(refusal(() => loose(start.elicits({})).limits({}))).toContain('call .limits() before .elicits()');
    expect(refusal(() => loose(start).description('again'))).toContain('was called before');
  });

  it('refuses texts that are empty, and limits that limit nothing', () => {
    expect(refusal(() => createMcpTool('x').description(' '))).toContain('not empty');
    expect(refusal(() => start.limits({ timeout: 0 }))).toContain('limits.timeout is a number above 0');
    expect(refusal(() => start.limits({ maxTokens: Number.NaN }))).toContain('limits.maxTokens');
    expect(refusal(() => start.limits({ maxDepth: 1.5 }))).toContain(
      'limits.maxDepth is a whole number from 0',
    );
  });

  it('refuses what the editor cannot run a tool on, and a tool that mends nothing', () => {
    // @ts-expect-error: not one of them
    expect(refusal(() => start.editor({ accepts: 'window' }))).toContain('selection, file, folder');
    expect(refusal(() => start.editor({ mends: true }))).toContain("add accepts: 'file' or 'selection'");
    expect(refusal(() => start.summary(''))).toContain('.summary() takes a text that is not empty');
  });

  it('refuses code that is no generator function, and a phase that is missing', () => {
    // @ts-expect-error: not a function
    expect(refusal(() => start.elicits({}).execute('code'))).toContain(
      '.execute() takes a generator function',
    );
    expect(
      refusal(() =>
        start.elicits({}).handoff({
          *before() {},
          *client() {},
          // @ts-expect-error: not a function
          after: undefined,
        }),
      ),
    ).toContain("'after'");
  });
});

describe('parameters and output', () => {
  const define = (schema: z.ZodObject) => createMcpTool('t').description('d').parameters(schema);

  it('publish the input side of parameters: a default makes a field optional', () => {
    const tool = define(z.object({ n: z.int().default(3), text: z.string().transform(Number) }))
      .output(z.object({ n: z.int().default(3) }))
      .elicits({})
      .execute(function* () {
        return {};
      });
    expect(tool.def.parameters.json.required).toEqual(['text']);
    expect(tool.def.output?.json.required).toEqual(['n']);
  });

  it('publish no bounds of an integer but the author’s own', () => {
    const { json } = define(z.object({ n: z.int(), m: z.int().min(2), half: z.number().max(0.5) }))
      .elicits({})
      .execute(function* () {}).def.parameters;
    expect(json.properties).toEqual({
      n: { type: 'integer' },
      m: { type: 'integer', minimum: 2 },
      half: { type: 'number', maximum: 0.5 },
    });
  });

  it.each([
    ['when', z.object({ when: z.date() }), 'z.iso.datetime()'],
    ['a.b[].c', z.object({ a: z.object({ b: z.array(z.object({ c: z.bigint() })) }) }), 'z.string()'],
    ['f', z.object({ f: z.function() as unknown as z.ZodType }), 'pass data instead'],
    ['m', z.object({ m: z.map(z.string(), z.string()) }), 'z.record()'],
    ['c', z.object({ c: z.custom<string>(() => true) }), '.refine()'],
  ])('name the property %s that JSON cannot carry', (path, schema, advice) => {
    const message = refusal(() => define(schema));
    expect(message).toContain("the parameters of tool 't'");
    expect(message).toContain(`the property '${path}'`);
    expect(message).toContain(advice);
  });

  it('refuse a transform on the output side, where nobody can say what comes out', () => {
    expect(refusal(() => start.output(z.object({ n: z.string().transform(Number) })))).toContain(
      "property 'n'",
    );
    expect(() => start.output(z.object({ n: z.string().transform(Number).pipe(z.number()) }))).not.toThrow();
  });

  it('refuse parameters that are no object, also where the type cannot tell', () => {
    const schema = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(refusal(() => createMcpTool('t').description('d').parameters(schema))).toContain('are an object');
  });

  it('refuse what is no schema', () => {
    // @ts-expect-error: not a schema
    expect(refusal(() => createMcpTool('t').description('d').parameters({ a: 1 }))).toContain(
      'expected a zod schema',
    );
    const stranger = {
      '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) },
    } as const;
    expect(refusal(() => createMcpTool('t').description('d').parameters(stranger))).toContain(
      'something else',
    );
  });

  it('take zod 3, with its own converter', () => {
    const tool = createMcpTool('t')
      .description('d')
      .parameters(z3.object({ city: z3.string().describe('where to'), n: z3.number().int().default(2) }))
      .elicits({ ask: z3.object({ mail: z3.string().email(), size: z3.enum(['s', 'm']).optional() }) })
      .execute(function* (params) {
        return params.city;
      });
    expect(tool.def.parameters.json).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', description: 'where to' }, n: { type: 'integer', default: 2 } },
      required: ['city'],
    });
    expect(tool.def.elicits.ask?.json).toEqual({
      type: 'object',
      properties: { mail: { type: 'string', format: 'email' }, size: { type: 'string', enum: ['s', 'm'] } },
      required: ['mail'],
    });
  });

  it.each([
    ['a[].b', z3.object({ a: z3.array(z3.object({ b: z3.date() })) })],
    ['s', z3.object({ s: z3.set(z3.string()) })],
    ['f', z3.object({ f: z3.function() })],
  ])('name the property %s of a zod 3 schema that JSON cannot carry', (path, schema) => {
    expect(refusal(() => createMcpTool('t').description('d').parameters(schema))).toContain(`'${path}'`);
  });
});

describe('elicits', () => {
  const asking = (declarations: unknown) => () => start.elicits(declarations as Record<string, z.ZodObject>);

  it('refuses a key that could not stand on a wire', () => {
    expect(refusal(asking({ 'pick#2': z.object({}) }))).toContain("elicitation 'pick#2' of tool 'book'");
  });

  it.each([[undefined], [null], [[]]])('refuses %j in place of the questions', (none) => {
    expect(refusal(asking(none))).toContain('.elicits() takes an object');
  });

  it('refuses a declaration that is none', () => {
    expect(refusal(asking({ pick: { response: z.object({}) } }))).toContain('{ response, context }');
    expect(refusal(asking({ pick: undefined }))).toContain('{ response, context }');
  });

  it('refuses context fields that every request has already', () => {
    const message = refusal(
      asking({ pick: { response: z.object({}), context: z.object({ attempt: z.int() }) } }),
    );
    expect(message).toContain("'attempt'");
    expect(message).toContain('rename it');
  });
});

describe('what a client could not read in a list of tools', () => {
  const given = (step: string, value: unknown) => () =>
    (start as unknown as Record<string, (value: unknown) => unknown>)[step]?.(value);

  it.each([
    ['annotations', { readOnlyHint: 'yes' }, 'annotations.readOnlyHint is true or false, not "yes"'],
    ['annotations', { title: 3 }, 'annotations.title is a text, not 3'],
    ['about', { icons: 'https://example.com/a.png' }, "icons as a list of { src: '…' }"],
    ['about', { icons: [{ href: 'https://example.com/a.png' }] }, "icons as a list of { src: '…' }"],
    ['about', { icons: [{ src: 'https://example.com/a.png', sizes: '48x48' }] }, 'icons as a list'],
    ['about', { _meta: [] }, '_meta as an object'],
  ])('is refused: .%s(%j)', (step, value, sentence) => {
    expect(refusal(given(step, value))).toContain(sentence);
  });

  it.each([
    ['annotations', { readOnly: true }, "knows no 'readOnly': it knows readOnlyHint, "],
    ['limits', { timeoutMs: 5 }, "knows no 'timeoutMs': it knows timeout, maxDepth, maxTokens"],
    ['durable', { fork: true }, "knows no 'fork': it knows forks"],
    ['durable', true, '.durable() takes an object'],
    ['task', { require: true }, "knows no 'require': it knows required, asksFirst"],
  ])('and what nobody would hear of: .%s(%j)', (step, value, sentence) => {
    expect(refusal(given(step, value))).toContain(sentence);
  });

  it.each([
    ['a resource', createMcpResource('notes://today', 'd')],
    ['a template', createMcpResourceTemplate('notes://{day}', 'd')],
  ])('is refused where %s says it, too', (_, builder) => {
    const about = builder.about as (facts: unknown) => unknown;
    expect(refusal(() => about({ icons: 'x' }))).toMatch(/^resource 'notes:.*icons as a list/);
  });
});

describe('a default that does not fit its own schema', () => {
  const unfit = z.object({ seats: z.int().min(3).default(1) });

  it('is refused where it is declared, and named', () => {
    expect(refusal(() => createMcpTool('book').description('Books.').parameters(unfit))).toBe(
      "the parameters of tool 'book': the default of the property 'seats' does not fit its own schema (must be 3 or more): change one of them",
    );
    expect(refusal(() => start.elicits({ pick: unfit }))).toMatch(
      /^elicitation 'pick' of tool 'book': the default of the property 'seats' does not fit/,
    );
    expect(refusal(() => start.elicits({ pick: { response: z.object({}), context: unfit } }))).toMatch(
      /^the context of elicitation 'pick'.*: the default of the property 'seats'/,
    );
    expect(refusal(() => start.output(unfit))).toMatch(/^the output of tool 'book': the default of/);
  });

  it('is found in lists and objects, behind .optional() and .meta(), and as the input of .prefault()', () => {
    const where = (schema: z.ZodType) => /property '([^']+)'/.exec(refusal(() => start.output(schema)))?.[1];
    const name = z.string().min(3).default('x').optional().meta({ title: 'Name' });
    expect(where(z.object({ people: z.array(z.object({ name })) }))).toBe('people[].name');
    expect(where(z.object({ by: z.record(z.string(), name) }))).toBe('by.*');
    expect(where(z.object({ name: z.string().min(3).prefault('x') }))).toBe('name');
    expect(refusal(() => start.output(z.int().min(3).default(1)))).toMatch(/: its default does not fit/);
  });

  it('is refused by zod 3 as well, which would refuse every call', () => {
    const old = z3.object({ seats: z3.number().min(3).default(1) });
    expect(refusal(() => createMcpTool('book').description('Books.').parameters(old))).toContain(
      "the default of the property 'seats' does not fit its own schema",
    );
  });

  it('is not seen in what a transform makes, nor where checking takes time', () => {
    const length = z.string().transform((text) => text.length);
    const asked = z.string().refine(async () => false);
    const schema = z.object({
      length: length.default(3),
      lengths: z.object({ one: length }).default({ one: 3 }),
      asked: asked.default('x'),
    });
    expect(() => createMcpTool('book').description('Books.').parameters(schema)).not.toThrow();
  });
});
