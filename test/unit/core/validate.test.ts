import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import type { Schema } from '#src/core/schema/schema.ts';
import { validate, validateNow } from '#src/core/schema/validate.ts';

const check = (schema: Schema, value: unknown) => run(() => validate(schema, value));

describe('validate', () => {
  it('gives the parsed value', async () => {
    expect(await check(z.object({ n: z.coerce.number().default(2) }), {})).toEqual({
      ok: true,
      value: { n: 2 },
    });
    expect(await check(z3.object({ n: z3.number().default(2) }), {})).toEqual({ ok: true, value: { n: 2 } });
  });

  it('says where each problem is', async () => {
    const schema = z.object({
      seats: z.array(z.object({ row: z.int('whole rows only') })),
      name: z.string('a name'),
    });
    expect(await check(schema, { seats: [{ row: 1 }, { row: 1.5 }] })).toEqual({
      ok: false,
      problem: 'seats[1].row: whole rows only; name: a name',
      issues: [
        { path: 'seats[1].row', message: 'whole rows only' },
        { path: 'name', message: 'a name' },
      ],
    });
  });

  it('keeps a long list of problems short', async () => {
    const checked = await check(z.array(z.string('no')), Array(30).fill(1));
    expect(checked).toMatchObject({ ok: false, problem: expect.stringMatching(/\[7\]: no; and 22 more$/) });
    expect(!checked.ok && checked.issues).toHaveLength(30);
  });

  it('keeps a long problem short', async () => {
    const given = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]));
    const checked = await check(z.strictObject({}), given);
    expect(checked).toMatchObject({ ok: false, problem: expect.stringMatching(/^has 'k0'.* and 9980 more/) });
    expect(!checked.ok && checked.problem.length).toBeLessThan(600);
  });

  it('waits for schemas that are asynchronous', async () => {
    const schema = z.string().refine(async (text) => text === 'yes', 'say yes');
    expect(await check(schema, 'yes')).toEqual({ ok: true, value: 'yes' });
    expect(await check(schema, 'no')).toMatchObject({ ok: false, problem: 'say yes' });
    expect(validateNow(schema, 'yes')).toBeInstanceOf(Promise);
    expect(validateNow(z.string(), 'yes')).toEqual({ ok: true, value: 'yes' });
  });

  it('takes a schema whose own code throws as a problem of the value', async () => {
    const sync = z.string().refine(() => {
      throw new Error('oops');
    });
    const async: Schema = {
      '~standard': { version: 1, vendor: 'x', validate: () => Promise.reject('oops') },
    };
    for (const schema of [sync, async]) {
      expect(await check(schema, 'x')).toMatchObject({
        ok: false,
        problem: 'it could not be checked (oops)',
      });
    }
  });

  it('takes a problem that is nowhere in particular', async () => {
    const schema: Schema = {
      '~standard': { version: 1, vendor: 'x', validate: () => ({ issues: [{ message: 'say yes' }] }) },
    };
    expect(await check(schema, 'no')).toMatchObject({
      ok: false,
      problem: 'say yes',
      issues: [{ path: '', message: 'say yes' }],
    });
  });

  it('takes promises of any make', async () => {
    const thenable: Schema = {
      '~standard': {
        version: 1,
        vendor: 'x',
        // biome-ignore lint/suspicious/noThenProperty: a promise of another realm
        validate: (value) => ({ then: (done: (r: unknown) => void) => done({ value }) }) as never,
      },
    };
    expect(await check(thenable, 3)).toEqual({ ok: true, value: 3 });
  });
});
