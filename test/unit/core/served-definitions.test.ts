import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import {
  createMcpPrompt,
  createMcpResource,
  createMcpResourceTemplate,
  createMcpTool,
  isParleyError,
} from '#src/core/index.ts';
import { createMcpServer } from '#src/mcp/server.ts';
import { readMcpResource, runMcpPrompt } from '#src/testing/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: these are mistakes of plain JavaScript, which types would refuse.
type Loose = any;

const prompt: Loose = (name: unknown = 'review') =>
  (createMcpPrompt as Loose)(name)
    .description('Reviews.')
    .arguments(z.object({ file: z.string() }));
const taking: Loose = (schema: unknown) =>
  (createMcpPrompt('review').description('Reviews.') as Loose).arguments(schema);
const resource: Loose = (uri: unknown = 'notes://today') => (createMcpResource as Loose)(uri, 'Notes');
const template: Loose = (uri: unknown = 'notes://{day}') =>
  (createMcpResourceTemplate as Loose)(uri, 'Notes');

function refusal(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    if (isParleyError(error, 'TOOL_DEFINITION')) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a prompt or a resource that no client could read is refused where it is defined', () => {
  it.each<[string, () => unknown, string]>([
    ['a prompt without a name', () => prompt(''), "'' cannot name a prompt"],
    [
      'a title that is no text',
      () => (createMcpPrompt('a').description('d') as Loose).title(3),
      '.title() takes',
    ],
    ['a description that is none', () => createMcpPrompt('a').description(' '), "prompt 'a': .description()"],
    [
      'a fact nobody knows',
      () => (createMcpPrompt('a').description('d') as Loose).about({ icon: 'x' }),
      "no 'icon'",
    ],
    [
      'no schema',
      () => taking({ file: z.string() }),
      "the arguments of prompt 'review': expected a zod schema",
    ],
    ['arguments that are no object', () => taking(z.string()), 'are no object'],
    ['a number', () => taking(z.object({ n: z.number() })), "are texts, and 'n' is not: use z.string()"],
    ['a list', () => taking(z.object({ n: z.array(z.string()) })), "'n' is not"],
    ['a completer of no argument', () => prompt().completes({ fil: ['a'] }), "no 'fil': it knows file"],
    ['a completer that is no list', () => prompt().completes({ file: 'a' }), "a list of texts for 'file'"],
    ['an async completer', () => prompt().completes({ file: async () => [] }), 'or a generator function'],
    ['a capability', () => prompt().requires({ elicit: true }), "prompt 'review': .requires() knows no "],
    [
      'messages first',
      () => (createMcpPrompt('a') as Loose).messages(),
      'call .description() before .messages()',
    ],
    [
      'questions before arguments',
      () => (createMcpPrompt('a').description('d') as Loose).elicits({}),
      "prompt 'a': call .arguments() before .elicits()",
    ],
    ['no questions', () => prompt().messages(), 'call .elicits() before .messages()'],
    ['a title late', () => prompt().title('t'), 'call .title() before .arguments()'],
    ['requirements late', () => prompt().elicits({}).requires({}), 'call .requires() before .elicits()'],
    ['arguments twice', () => prompt().arguments(z.object({})), '.arguments() was called before: each step'],
    ['no requirements', () => prompt().requires(), '.requires() takes an object'],
    ['what is no address', () => resource('today'), "'today' cannot be the address of a resource"],
    ['no address', () => resource(7), "'7' cannot be the address"],
    ['an address with a gap', () => resource('notes://{day}'), 'use createMcpResourceTemplate'],
    [
      'a resource described by an object',
      () => createMcpResource('a:b', {} as Loose),
      "resource 'a:b': .desc",
    ],
    ['a misspelt fact', () => resource().about({ mimetype: 'text/plain' }), "knows no 'mimetype': it knows"],
    [
      'a question that no form can ask',
      () => resource().elicits({ who: z.object({ name: z.object({}) }) }),
      "elicitation 'who' of resource 'notes://today': the property 'name' is not a form field",
    ],
    [
      'a question of a template',
      () => template().elicits({ who: 3 }),
      "'who' of resource 'notes://{day}': declare",
    ],
    ['questions of a prompt', () => prompt().elicits([]), "prompt 'review': .elicits() takes an object"],
    ['a type that is no text', () => resource().about({ mimeType: 3 }), 'mimeType as a text'],
    ['a size that is no number', () => resource().about({ size: '3' }), 'size as a number'],
    ['hints', () => resource().about({ annotations: 'user' }), 'annotations as an object'],
    [
      'an audience',
      () => resource().about({ annotations: { audience: 'user' } }),
      "list of 'user' and 'assistant'",
    ],
    ['a priority', () => resource().about({ annotations: { priority: 2 } }), 'from 0 to 1'],
    ['a time', () => resource().about({ annotations: { lastModified: 1 } }), 'a time as text'],
    [
      'an async watch',
      () => resource().watch(async () => {}),
      "resource 'notes://today': .watch() takes a generator",
    ],
    ['a watch that is none', () => template().watch('x'), '.watch() takes a generator'],
    ['a list in place of code', () => template().lists(['x']), '.lists() takes a generator'],
    ['a completer of no variable', () => template().completes({ name: [] }), "no 'name': it knows day"],
    ['a template that is no text', () => template(3), "'3' cannot be used: it is no text"],
  ])('%s', (_, define, message) => {
    expect(refusal(define)).toContain(message);
  });

  it('and what each says rightly is taken', () => {
    const facts = {
      name: 'n',
      title: 't',
      mimeType: 'text/plain',
      size: 0,
      icons: [{ src: 'data:,' }],
      _meta: {},
    };
    const annotations = { audience: ['user'], priority: 1, lastModified: '2030-01-01' } as const;
    expect(createMcpResource('a:b', 'd').about({ ...facts, annotations })).toBeDefined();
    expect(
      taking(z.object({ a: z.enum(['x']), b: z.coerce.number().optional(), c: z.literal('x') })),
    ).toBeDefined();
    expect(taking(z3.object({ a: z3.string(), b: z3.coerce.number() }))).toBeDefined();
    expect(prompt().completes({ file: undefined })).toBeDefined();
  });
});

describe('what the code of a prompt or a resource gives', () => {
  const says = (given: unknown) =>
    runMcpPrompt(
      prompt()
        .elicits({})
        .messages(function* () {
          return given;
        }),
      { file: 'a' },
    );
  const reads = (given: unknown) =>
    readMcpResource(
      resource().read(function* () {
        return given;
      }),
      'notes://today',
    );

  it.each([
    ['a text'],
    [{ role: 'system', content: { type: 'text', text: 'x' } }],
    [{ role: 'user', content: 'x' }],
  ])('is no message: %j', async (message) => {
    const fine = { role: 'user', content: { type: 'text', text: 'x' } };
    await expect(says([fine, message])).rejects.toThrow(
      /'review'.* as message number 2 is none: a message is/,
    );
    await expect(says({ messages: [message] })).rejects.toThrow('message number 1');
  });

  it.each([['a text'], [{ text: 'x' }], [{ uri: 'a:b' }], [{ uri: 'a:b', text: 3 }]])(
    'is no contents: %j',
    async (contents) => {
      await expect(reads([{ uri: 'a:b', blob: 'eA==' }, contents])).rejects.toThrow(
        /'notes:\/\/today'.* as contents number 2 are none/,
      );
    },
  );

  it('is handed on as it is', async () => {
    const contents = [
      { uri: 'a:b', text: '', mimeType: 'text/plain' },
      { uri: 'a:c', blob: 'eA==' },
    ];
    expect(await reads(contents)).toEqual(contents);
    const messages = [{ role: 'assistant', content: { type: 'image', data: 'eA==', mimeType: 'image/png' } }];
    expect(await says({ description: 'd', messages })).toEqual({ description: 'd', messages });
  });

  it('is no list of resources', async () => {
    const listing = (given: unknown) => {
      const { def } = template()
        .lists(function* () {
          return given;
        })
        .read(function* () {
          return '';
        });
      return run(() => def.list());
    };
    await expect(listing([{ uri: 'notes://a', name: 'a' }])).resolves.toHaveLength(1);
    await expect(listing([{ uri: 'notes://a' }])).rejects.toThrow(
      /'notes:\/\/{day}'.*as number 1 what is no resource/,
    );
    await expect(listing(undefined)).rejects.toThrow('.lists() gave no list');
  });
});

describe('a builder that was not ended, in the place of', () => {
  const tool = createMcpTool('a')
    .description('d')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {});

  it('a prompt, is refused by a test and by a server', () => {
    expect(refusal(() => runMcpPrompt(prompt().elicits({}), {}))).toContain(
      'end createMcpPrompt(…) with .messages()',
    );
    for (const wrong of [prompt().elicits({}), tool, undefined]) {
      const serve = () => createMcpServer({ name: 'a', version: '1', prompts: [wrong] } as Loose);
      expect(refusal(serve)).toContain('this is no prompt');
    }
  });

  it('a resource, too', () => {
    expect(refusal(() => readMcpResource(resource(), 'notes://today'))).toContain('with .read()');
    for (const wrong of [resource(), tool, undefined]) {
      const serve = () => createMcpServer({ name: 'a', version: '1', resources: [wrong] } as Loose);
      expect(refusal(serve)).toContain('this is no resource');
    }
  });
});
