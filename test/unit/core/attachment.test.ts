import { createMockMcpClient } from 'parley-mcp/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { compileFormSchema } from '#src/core/form/compile-form-schema.ts';
import { wireForm } from '#src/core/form/wire-form.ts';
import { type Attachment, attachment, createMcpTool } from '#src/core/index.ts';
import { checkReplay } from '#src/testing/index.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const picture = { type: 'image', data: PNG, mimeType: 'image/png', _meta: { name: 'bug.png' } } as const;
const log = {
  type: 'resource',
  resource: { uri: 'attachment:///a%20b.log', mimeType: 'text/plain', text: 'failed' },
} as const;

const report = createMcpTool('report')
  .description('Reports.')
  .parameters(z.object({}))
  .durable()
  .elicits({
    bug: z.object({
      what: z.string(),
      files: attachment({ accept: ['image/*', 'text/plain'], max: 2, maxBytes: 1_000 }).optional(),
    }),
  })
  .execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('bug', { message: 'What?' });
    if (answer.action !== 'accept') return answer.action;
    expectTypeOf(answer.content.files).toEqualTypeOf<Attachment[] | undefined>();
    const [, result] = answer.exchange.messages;
    return { files: answer.content.files, read: result.content };
  });

const accept = (files: unknown) => ({ action: 'accept', content: { what: 'It fails', files } }) as const;

describe('attachment', () => {
  it('gives content blocks, which a model reads beside their names, also after a restart', async () => {
    const client = createMockMcpClient({ elicitResponses: [accept([picture, log])] });
    const { result } = await checkReplay(report, {}, client);
    const told = { what: 'It fails', files: ['bug.png', 'a b.log'] };
    expect(result).toMatchObject({
      files: [picture, log],
      read: [
        { content: [{ type: 'text', text: JSON.stringify(told) }, picture, log], structuredContent: told },
      ],
    });
  });

  it.each([
    ['a path', '/etc/passwd', /a text is not read as a file or a path/],
    ['an address', 'file:///etc/passwd', /a text is not read as a file or a path/],
    ['none', [], /files/],
    ['too many', [picture, log, log], /files/],
    ['no block', [{ type: 'image', path: '/etc/passwd' }], /it is no file/],
    ['another type', [{ ...picture, mimeType: 'image/heic' }], /not what it says, image\/heic/],
    [
      'a type that is not asked for',
      [{ type: 'resource', resource: { uri: 'a:b', mimeType: 'application/pdf', blob: '' } }],
      /application\/pdf is not accepted: only image\/\*, text\/plain/,
    ],
    ['a picture that is none', [{ ...picture, data: 'TVqQAAMA' }], /not what it says, image\/png/],
    ['what is no base64', [{ ...picture, data: `${PNG}%` }], /not in base64/],
    [
      'too much',
      [{ ...picture, data: PNG.slice(0, 16).padEnd(2_000, 'A') }],
      /have 1500 bytes, and 1000 are the most/,
    ],
  ])('is asked again where it is answered with %s', async (_, given, problem) => {
    const client = createMockMcpClient({ elicitResponses: [accept(given), accept(undefined)] });
    await checkReplay(report, {}, client);
    expect(client.transcript[1]).toMatchObject({ problem: expect.stringMatching(problem) });
  });

  it('is a text for other clients that says so, and is left out when that is empty', async () => {
    const form = compileFormSchema(z.object({ a: attachment().meta({ title: 'Shots' }) }), {
      of: "tool 'probe'",
    });
    expect(form.properties.a).toMatchObject({
      attachment: { accept: ['image/*'], max: 1, maxBytes: 700_000 },
    });
    expect(wireForm(form).properties.a).toEqual({
      type: 'string',
      title: 'Shots',
      description: 'files cannot be given here: leave it empty',
    });
    const client = createMockMcpClient({ elicitResponses: [accept('')] });
    expect((await checkReplay(report, {}, client)).result).toMatchObject({
      read: [{ structuredContent: {} }],
    });
    expect(client.transcript).toHaveLength(1);
  });

  it('refuses bounds that are none', () => {
    for (const wrong of [{ max: 0 }, { max: 21 }, { maxBytes: 0 }, { maxBytes: 1e9 }, { accept: [] }])
      expect(() => attachment(wrong)).toThrow(/max is 1 to 20 files/);
    // @ts-expect-error: types are a list
    expect(() => attachment({ accept: 'image/*' })).not.toThrow();
  });
});
