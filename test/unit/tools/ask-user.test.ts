import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#src/core/messages/json.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { encodeResult } from '#src/mcp/wire/result.ts';
import { askUser as askUserTool } from '#src/tools/ask-user/tool.ts';
import { shippedTools } from '#src/tools/definitions.ts';
import { shippedPlugins } from '#src/tools/index.ts';

/** A model sends what it likes. */
const askUser: AnyTool = askUserTool;

const color = { name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] };

const form = {
  title: 'New service',
  message: 'How shall it be set up?',
  fields: [
    { name: 'service', label: 'Name' },
    { name: 'port', label: 'Port', kind: 'integer', default: 8080 },
    { name: 'public', label: 'Public', kind: 'boolean', default: false },
    color,
    { name: 'days', label: 'Days', kind: 'choices', options: ['mon', 'tue'], required: false },
    { name: 'owner', label: 'Owner', kind: 'email', required: false, description: 'Whom to ask' },
    { name: 'start', label: 'Start', kind: 'date', default: '2026-01-31' },
  ],
};

describe('ask_user', () => {
  test('asks one form with everything the model described, and returns the answers', async () => {
    const asked: unknown[] = [];
    const client = createMockMcpClient({
      elicitResponses: (request) => {
        asked.push(request);
        return { action: 'accept', content: { service: 'web', port: 80, color: 'red', days: ['mon'] } };
      },
    });
    expect(await runMcpTool(askUser, form, client)).toEqual({
      status: 'answered',
      answers: { service: 'web', port: 80, public: false, color: 'red', days: ['mon'], start: '2026-01-31' },
      unanswered: ['owner'],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      message: 'New service\n\nHow shall it be set up?',
      requestedSchema: {
        type: 'object',
        required: ['service', 'color'],
        properties: {
          service: { type: 'string', title: 'Name', minLength: 1 },
          port: { type: 'integer', title: 'Port', default: 8080 },
          public: { type: 'boolean', default: false },
          color: { type: 'string', title: 'Color', enum: ['red', 'blue'] },
          days: { type: 'array', items: { enum: ['mon', 'tue'] } },
          owner: { type: 'string', format: 'email', description: 'Whom to ask' },
          start: { type: 'string', format: 'date', default: '2026-01-31' },
        },
      },
    });
  });

  test('gives the model the pictures of the user as content, beside their names', async () => {
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
    const picture = { type: 'image', data, mimeType: 'image/png', _meta: { name: 'bug.png' } };
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: { shot: [picture] } }],
    });
    const fields = [{ name: 'shot', label: 'Screenshot', kind: 'attachments' }];
    const value = await runMcpTool(askUser, { message: 'What do you see?', fields }, client);
    const told = { status: 'answered', answers: { shot: ['bug.png'] } };
    expect(value).toEqual({ ...told, attachments: [picture] });
    expect(encodeResult(value as JsonObject, true)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(told) }, picture],
      structuredContent: told,
    });
  });

  test('takes words of the user in place of an option, unless only the options will do', async () => {
    const asked: { requestedSchema: { properties: Record<string, unknown> } }[] = [];
    const answering = (content: Record<string, string>) =>
      createMockMcpClient({
        elicitResponses: (request) => {
          asked.push(request as never);
          return asked.length > 3 ? { action: 'cancel' } : { action: 'accept', content };
        },
      });
    const way = {
      name: 'way',
      label: 'Way',
      kind: 'choice',
      options: [{ value: 'new', label: 'Rewrite' }, 'old'],
    };
    const fields = [color, { ...way, default: 'old' }];
    const own = answering({ color: 'green', way: 'half of each' });
    expect(await runMcpTool(askUser, { message: 'Which?', fields }, own)).toMatchObject({
      answers: { color: 'green', way: 'half of each' },
    });
    expect(asked[0]?.requestedSchema.properties).toEqual({
      color: { type: 'string', title: 'Color', enum: ['red', 'blue'], other: true },
      way: {
        type: 'string',
        title: 'Way',
        default: 'old',
        oneOf: [
          { const: 'new', title: 'Rewrite' },
          { const: 'old', title: 'old' },
        ],
        other: true,
      },
    });
    const strict = { message: 'Which?', fields: [{ ...color, other: false }] };
    expect(await runMcpTool(askUser, strict, answering({ color: 'green' }))).toEqual({ status: 'cancelled' });
    const blank = { message: 'Which?', fields: [color] };
    expect(await runMcpTool(askUser, blank, answering({ color: ' ' }))).toEqual({ status: 'cancelled' });
  });

  test('shows what helps to choose, asks for an order, a path and notes, and says what was left empty', async () => {
    const asked: { requestedSchema: { properties: Record<string, unknown> } }[] = [];
    const client = createMockMcpClient({
      elicitResponses: (request) => {
        asked.push(request as never);
        return {
          action: 'accept',
          content: {
            way: 'new',
            way_note: 'but keep the tests',
            first: ['docs', 'speed'],
            tags: [],
            why: '',
          },
        };
      },
    });
    const preview = { kind: 'diff', text: '-a\n+b' };
    const fields = [
      {
        name: 'way',
        label: 'Way',
        kind: 'choice',
        note: true,
        page: 'The way',
        options: [
          { value: 'new', label: 'Rewrite', description: 'Longer', recommended: true, preview },
          'leave it',
        ],
      },
      { name: 'first', label: 'First', kind: 'ranking', options: ['speed', 'docs'], page: 'The order' },
      { name: 'file', label: 'File', kind: 'file', required: false },
      { name: 'tags', label: 'Tags', kind: 'list', required: false },
      { name: 'place', label: 'Where', kind: 'place', required: false, default: 'src/a.ts:3-5' },
      { name: 'why', label: 'Why', kind: 'lines', required: false, placeholder: 'Because …' },
    ];
    expect(await runMcpTool(askUser, { message: 'How?', fields }, client)).toEqual({
      status: 'answered',
      answers: { way: 'new', first: ['docs', 'speed'], place: 'src/a.ts:3-5' },
      notes: { way: 'but keep the tests' },
      unanswered: ['file', 'tags', 'why'],
    });
    expect(asked[0]?.requestedSchema.properties).toMatchObject({
      way: {
        page: 'The way',
        oneOf: [
          { const: 'new', title: 'Rewrite', description: 'Longer', recommended: true, preview },
          { const: 'leave it', title: 'leave it' },
        ],
      },
      way_note: { noteOn: 'way', multiline: true },
      first: { ordered: true, page: 'The order' },
      file: { pick: 'file' },
      place: { pick: 'place', default: 'src/a.ts:3-5' },
      tags: { type: 'array', items: { type: 'string' } },
      why: { multiline: true, placeholder: 'Because …' },
    });
  });

  test('takes no picture that is not one, and gives a note a name of its own', async () => {
    const image = { kind: 'image', text: 'https://example.com/spy.png' };
    const options = [{ value: 'a', preview: image }];
    await expect(
      runMcpTool(
        askUser,
        { message: 'Which?', fields: [{ name: 'a', label: 'A', kind: 'choice', options }] },
        createMockMcpClient(),
      ),
    ).rejects.toThrow('an image is a data: address');
    const fields = [
      { name: 'a', label: 'A', kind: 'choice', options: ['x'], note: true },
      { name: 'a_note', label: 'Note' },
    ];
    const client = createMockMcpClient({
      elicitResponses: {
        elicit: { action: 'accept', content: { a: 'x', a_note: 'field', a_note_: 'note' } },
      },
    });
    expect(await runMcpTool(askUser, { message: 'Which?', fields }, client)).toMatchObject({
      answers: { a: 'x', a_note: 'field' },
      notes: { a: 'note' },
    });
  });

  test.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('says %s as a status, so that the model can go on', async (action, status) => {
    const client = createMockMcpClient({ elicitResponses: [{ action }] });
    expect(await runMcpTool(askUser, form, client)).toEqual({ status });
  });

  test('asks again for an answer that is only spaces', async () => {
    const client = createMockMcpClient({
      elicitResponses: [
        { action: 'accept', content: { service: '   ', color: 'red' } },
        { action: 'accept', content: { service: 'web', color: 'red' } },
      ],
    });
    expect(await runMcpTool(askUser, form, client)).toMatchObject({ answers: { service: 'web' } });
  });

  test.each([
    [{ ...color, options: undefined }, /fields\[0\] \("color"\) is a choice without options/],
    [{ ...color, options: ['red', 'red'] }, /has an option twice/],
    [{ ...color, kind: 'text' }, /has options, and is of kind text/],
    [{ ...color, default: 'green' }, /has a default that is not one of its options \(red, blue\)/],
    [{ name: 'n', label: 'N', kind: 'integer', default: 1.5 }, /a default that is not a whole number/],
    [{ name: 'd', label: 'D', kind: 'date', default: 'tomorrow' }, /not a date as YYYY-MM-DD/],
  ])('refuses %o before anybody is asked, saying what to do', async (field, problem) => {
    const client = createMockMcpClient({ elicitResponses: [] });
    const run = runMcpTool(askUser, { message: 'Well?', fields: [field] }, client);
    await expect(run).rejects.toThrow(problem);
    await expect(run).rejects.toThrow('call ask_user again');
    expect(client.missing).toEqual([]);
  });

  test('names every problem at once', async () => {
    const fields = [color, { ...color, options: [] }];
    const run = runMcpTool(askUser, { message: 'Well?', fields });
    await expect(run).rejects.toThrow(/name of an earlier field.*; fields\[1\].*without options/);
  });

  test.each([
    [{ message: 'Well?', fields: [] }],
    [{ message: 'Well?', fields: [{ name: '__proto__', label: 'P' }] }],
    [{ message: 'Well?', fields: [{ name: 'a', label: 'A', kind: 'colour' }] }],
    [{ fields: [color] }],
  ])('refuses %o as parameters', async (params) => {
    await expect(runMcpTool(askUser, params)).rejects.toMatchObject({ code: 'PARAMS_INVALID' });
  });

  test('changes nothing, and says so', () => {
    expect(askUser.def.annotations.readOnlyHint).toBe(true);
  });
});

test('what is shipped and what the manifest is made from are the same tools', () => {
  expect(shippedPlugins.map(({ server }) => server.tools[0])).toEqual(shippedTools);
  for (const [at, tool] of shippedTools.entries()) expect(shippedPlugins[at]?.server.tools[0]).toBe(tool);
});
