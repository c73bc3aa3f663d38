import { createRequire } from 'node:module';
import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as ours from 'zod';
import { createMcpTool, isPlugin, isTool, makePlugin } from '#src/core/index.ts';
import { validate } from '#src/core/schema/validate.ts';

/** A workspace tool bundles a zod of its own: here the CommonJS build plays that part. */
const z = createRequire(import.meta.url)('zod') as typeof ours;

describe('a schema from a second copy of zod', () => {
  const tool = createMcpTool('t')
    .description('d')
    .parameters(z.object({ n: z.int().min(1) }))
    .elicits({
      ask: z.object({
        mail: z.email().meta({ title: 'Mail' }),
        size: z.union([z.literal('s').meta({ title: 'Small' }), z.literal('m')]),
      }),
    })
    .execute(function* () {
      return 1;
    });

  it('really is from another copy', () => {
    expect(z.object).not.toBe(ours.object);
    expect(z.toJSONSchema).not.toBe(ours.toJSONSchema);
  });

  it('compiles with its titles', () => {
    expect(tool.def.parameters.json).toMatchObject({ properties: { n: { type: 'integer', minimum: 1 } } });
    expect(tool.def.elicits.ask?.json.properties).toEqual({
      mail: { type: 'string', format: 'email', title: 'Mail' },
      size: {
        type: 'string',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'm', title: 'm' },
        ],
      },
    });
  });

  it('names what JSON cannot carry', () => {
    expect(() =>
      createMcpTool('t')
        .description('d')
        .parameters(z.object({ when: z.date() })),
    ).toThrow("'when'");
  });

  it('validates', async () => {
    const checked = await run(() => validate(tool.def.parameters.schema, { n: 0 }));
    expect(checked).toMatchObject({ ok: false, issues: [{ path: 'n' }] });
  });
});

describe('the guards', () => {
  const tool = createMcpTool('t')
    .description('d')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {});

  it('know tools and plugins by their shape, as another copy of Parley makes them', () => {
    const plugin = makePlugin(tool).onElicit({}).build();
    expect(isTool({ ...tool })).toBe(true);
    expect(isPlugin({ ...plugin })).toBe(true);
    expect(isTool(plugin)).toBe(false);
    expect(isPlugin(tool)).toBe(false);
  });

  it.each([
    [undefined],
    [null],
    [7],
    ['tool'],
    [{}],
    [{ kind: 'parley.tool' }],
    [{ kind: 'parley.plugin' }],
    [[]],
  ])('are not taken in by %j', (value) => {
    expect(isTool(value)).toBe(false);
    expect(isPlugin(value)).toBe(false);
  });

  it('are not taken in by half a tool', () => {
    expect(isTool({ ...tool, name: 'other' })).toBe(false);
    expect(isTool({ ...tool, def: { name: 't' } })).toBe(false);
  });
});
