import { ElicitRequestFormParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compileFormSchema } from '#src/core/form/compile-form-schema.ts';
import { fromWireForm, wireForm } from '#src/core/form/wire-form.ts';
import { createMcpTool } from '#src/core/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';

const form = compileFormSchema(
  z
    .object({
      why: z.string().meta({ multiline: true, placeholder: 'Because …', page: 'First' }),
      file: z.string().meta({ pick: 'file' }),
      tags: z.array(z.string().min(2)).default(['a tag']).meta({ title: 'Tags', description: 'Of the post' }),
      way: z.union([
        z.literal('new').meta({
          title: 'New',
          description: 'Starts afresh',
          recommended: true,
          preview: { kind: 'code', text: 'let x;' },
        }),
        z.literal('old').meta({ title: 'Old' }),
      ]),
      order: z.array(z.enum(['a', 'b'])).meta({ ordered: true }),
    })
    .meta({ action: 'Post', decline: false }),
  { of: "tool 'post'" },
);

describe('a form with hints', () => {
  it('keeps them for Parley’s own form', () => {
    expect(form).toMatchObject({ action: 'Post', decline: false });
    expect(Object.keys(wireForm(form))).toEqual(['type', 'properties', 'required']);
    expect(form.properties).toMatchObject({
      why: { multiline: true, placeholder: 'Because …', page: 'First' },
      file: { pick: 'file' },
      tags: { type: 'array', items: { type: 'string', minLength: 2 }, default: ['a tag'] },
      way: {
        oneOf: [
          { const: 'new', description: 'Starts afresh', recommended: true, preview: { kind: 'code' } },
          { const: 'old', title: 'Old' },
        ],
      },
      order: { ordered: true },
    });
  });

  it('is a legal form without them on the wire, where a list is a text of lines', () => {
    const wire = wireForm(form);
    expect(wire).toEqual({
      type: 'object',
      properties: {
        why: { type: 'string', description: 'First' },
        file: { type: 'string' },
        tags: {
          type: 'string',
          title: 'Tags',
          default: 'a tag',
          description: 'Of the post (one on each line)',
        },
        way: {
          type: 'string',
          oneOf: [
            { const: 'new', title: 'New' },
            { const: 'old', title: 'Old' },
          ],
        },
        order: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['why', 'file', 'way', 'order'],
    });
    const params = { message: 'Post?', requestedSchema: wire };
    expect(ElicitRequestFormParamsSchema.parse(params)).toEqual(params);
  });

  it('takes lines for a list, and leaves everything else as it is', () => {
    expect(fromWireForm(form, { tags: ' one\n\ntwo\r\n', why: 'a\nb' })).toEqual({
      tags: ['one', 'two'],
      why: 'a\nb',
    });
    expect(fromWireForm(form, { tags: ['as it is'] })).toEqual({ tags: ['as it is'] });
    expect(fromWireForm(form, { 'no field': 'a\nb' })).toEqual({ 'no field': 'a\nb' });
    for (const odd of [null, 7, 'text', ['list']]) expect(fromWireForm(form, odd)).toEqual(odd);
  });

  it('is answered with lines by a client, and the tool gets its list', async () => {
    const tool = createMcpTool('tag')
      .description('Tags a post.')
      .parameters(z.object({}))
      .elicits({ tags: z.object({ tags: z.array(z.string()) }) })
      .execute(function* (_params, ctx) {
        const answer = yield* ctx.elicit('tags', { message: 'Which?' });
        return answer.action === 'accept' ? answer.content.tags : [];
      });
    const client = createMockMcpClient({
      elicitResponses: { tags: { action: 'accept', content: { tags: 'a\nb' } } },
    });
    expect(await runMcpTool(tool, {}, client)).toEqual(['a', 'b']);
  });
});
