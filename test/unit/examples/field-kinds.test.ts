import type { FormProperty } from 'parley-mcp';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { fieldKinds } from '#examples/workspace/.parley/tools/field-kinds.ts';

const filled = { name: 'Ada', email: 'ada@example.com', size: 'small', days: ['mon'] };

test('asks for every kind of field that MCP forms have', () => {
  const fields: Readonly<Record<string, FormProperty>> =
    fieldKinds.def.elicits.everything?.json.properties ?? {};
  const kinds = Object.values(fields).map((field) =>
    [
      field.type,
      'format' in field && field.format,
      'oneOf' in field && 'titled choice',
      'enum' in field && 'choice',
      'items' in field && ('anyOf' in field.items ? 'titled choices' : 'choices'),
    ]
      .filter(Boolean)
      .join(' '),
  );
  expect(new Set(kinds)).toEqual(
    new Set([
      'string',
      'string email',
      'string uri',
      'string date',
      'string date-time',
      'integer',
      'number',
      'boolean',
      'string choice',
      'string titled choice',
      'array choices',
      'array titled choices',
    ]),
  );
});

test('returns the answer, with defaults where nothing was entered', async () => {
  const client = createMockMcpClient({
    elicitResponses: { everything: { action: 'accept', content: filled } },
  });
  expect(await runMcpTool(fieldKinds, {}, client)).toEqual({
    answer: 'accept',
    ...filled,
    seats: 2,
    newsletter: false,
    meal: 'veg',
    extras: ['wifi'],
  });
});

test('says so when the person does not answer', async () => {
  const client = createMockMcpClient({ elicitResponses: { everything: { action: 'decline' } } });
  expect(await runMcpTool(fieldKinds, {}, client)).toEqual({ answer: 'decline' });
});
