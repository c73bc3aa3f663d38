import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ProfileEntry, profileOf } from '#src/mcp/clients/profile.ts';
import data from '#src/mcp/clients/profiles.json' with { type: 'json' };
import { encodeElicit } from '#src/mcp/wire/elicit.ts';

const kinds = z.array(z.enum(['text', 'choice', 'choices', 'number', 'yesNo']));
const never = z.literal(false).exactOptional();
const entry = z.strictObject({
  name: z.string().min(1),
  below: z.string().exactOptional(),
  fields: kinds.exactOptional(),
  defaults: kinds.exactOptional(),
  emptyText: never,
  url: never,
  sampling: never,
  apps: never,
  message: z.enum(['plain', 'markdown']).exactOptional(),
  progress: z.literal(true).exactOptional(),
  rounds: z.int().positive().exactOptional(),
  timeout: z.int().positive().exactOptional(),
  answersItself: z.literal(true).exactOptional(),
  people: z.literal(true).exactOptional(),
  links: z.literal('text').exactOptional(),
  media: z.literal('text').exactOptional(),
}) satisfies z.ZodType<ProfileEntry, unknown>;

describe('the question that a client which is known shows', () => {
  const request = {
    name: 'pick',
    message: '## Pick\n\nTake **one** of [these](https://example.com).',
    requestedSchema: { type: 'object', properties: { one: { type: 'string', description: 'Its `id`' } } },
    context: { board: 'x' },
  };
  const sent = (name: string) => encodeElicit({ request } as never, { name, version: '1' });

  it.each(data.filter(({ message }) => message !== undefined))(
    'has nothing for a model in the words of $name',
    ({ name, message }) => {
      const { message: words, requestedSchema, _meta } = sent(name.replace('*', ''));
      expect(words).toBe(
        message === 'plain' ? 'Pick\n\nTake one of these (https://example.com).' : request.message,
      );
      expect(JSON.stringify(requestedSchema)).toContain(message === 'plain' ? "Its 'id'" : 'Its `id`');
      // The model hears of it all the same.
      expect(_meta).toEqual({ 'x-model-context': request.context });
    },
  );

  it('has it, short, in those of all that are not known', () => {
    expect(sent('someone').message).toContain('x-model-context');
  });
});

describe('the profile of a client', () => {
  it('is read from a file that says nothing else', () => {
    expect(z.array(entry).parse(data)).toEqual(data);
  });

  it.each([
    ['claude-code', { answersItself: true, message: 'plain' }],
    ['codex-mcp-client', { fields: ['text', 'choice', 'yesNo'], url: false }],
    ['copilot-cli', { answersItself: true, people: true }],
    ['opencode', { links: 'text' }],
    ['kilo', { links: 'text' }],
    ['gemini-cli-mcp-client', { progress: true, timeout: 600_000 }],
    ['qwen-cli-mcp-client-parley', { apps: false }],
    ['@cline/core', { media: 'text' }],
    ['continue-cli-client', { media: 'text' }],
    ['Visual Studio Code - Insiders', { links: 'text', people: true }],
  ])('knows %s', (name, known) => {
    expect(profileOf({ name, version: '1.0.0' })).toMatchObject(known);
  });

  it('has the rounds alone for a client that is not known: it gets what it declares', () => {
    for (const info of [undefined, null, 'codex-mcp-client', [], {}, { name: 'claude-code-2' }, { name: 7 }])
      expect(profileOf(info)).toEqual({ name: '*', rounds: 10 });
  });

  it('is the same for names that objects have, and for one of a megabyte', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '*', '', 'x'.repeat(1 << 20)])
      expect(profileOf({ name, version: 'x'.repeat(1 << 20) })).toEqual({ name: '*', rounds: 10 });
  });

  it('is that of its version', () => {
    const among: ProfileEntry[] = [{ name: 'a', below: '2.1', url: false }, { name: 'a' }];
    const isOld = (version: unknown) => profileOf({ name: 'a', version }, among).url === false;
    expect(['1', '2.0.9-beta', 'v2.0.10', '1.99.99'].map(isOld)).toEqual([true, true, true, true]);
    expect(['2.1', '2.1.0', '10.0', 'nightly', '', 2, undefined].map(isOld)).toEqual(Array(7).fill(false));
  });
});
