import { createMcpTool } from 'parley-mcp';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { detailsOf, typeText } from '#src/vscode/authoring/tools/tool-details.ts';

test('the Tools view says what a tool takes, what it asks and what it needs', () => {
  const tool = createMcpTool('t')
    .description('d')
    .parameters(
      z.object({
        day: z.iso.date().meta({ description: 'When' }),
        seats: z.array(z.enum(['a', 'b'])).optional(),
      }),
    )
    .requires({ sampling: { tools: true }, elicitation: false })
    .elicits({ pick: z.object({ tone: z.enum(['dry', 'warm']) }) })
    .execute(function* () {
      return 1;
    });
  expect(detailsOf(tool)).toEqual([
    { kind: 'parameter', name: 'day', type: 'string, date', required: true, description: 'When' },
    { kind: 'parameter', name: 'seats', type: '(a | b)[]', required: false, description: undefined },
    {
      kind: 'question',
      name: 'pick',
      fields: [{ kind: 'field', name: 'tone', type: 'dry | warm', required: true, description: undefined }],
    },
    { kind: 'needs', name: 'sampling' },
  ]);
});

test.each([
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'number' }, { const: 'all' }] }, 'number | "all"'],
  [{}, 'any'],
])('%j reads %s', (schema, text) => {
  expect(typeText(schema)).toBe(text);
});
