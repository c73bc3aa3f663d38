import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type AnyPlugin, createMcpTool, makePlugin, PluginDefinitionError } from '#src/core/index.ts';

const tool = createMcpTool('book')
  .description('Books.')
  .parameters(z.object({}))
  .elicits({ a: z.object({ x: z.string() }), b: z.object({ y: z.number() }) })
  .execute(function* () {
    return 1;
  });

const handlers = {
  *a() {
    return { action: 'accept', content: { x: 'x' } } as const;
  },
  *b() {
    return { action: 'decline' } as const;
  },
};

describe('makePlugin', () => {
  it('gives the tool and its handlers, frozen', () => {
    const plugin = makePlugin(tool).onElicit(handlers).build();
    expect(plugin).toEqual({
      kind: 'parley.plugin',
      server: { tools: [tool], sampling: {} },
      client: { toolName: 'book', handlers },
      mcp: tool,
    });
    expect(Object.isFrozen(plugin.client.handlers)).toBe(true);
    expect([plugin] satisfies AnyPlugin[]).toHaveLength(1);
  });

  it('takes steps around samplings', () => {
    const sampling = {
      *before(messages: readonly never[]) {
        return messages;
      },
    };
    const plain = makePlugin(tool).onElicit(handlers);
    expect(plain.sampling(sampling).build().server.sampling).toEqual(sampling);
    expect(plain.build().server.sampling).toEqual({});
  });

  it("leaves an elicitation that is marked 'form' to the schema form", () => {
    const plugin = makePlugin(tool)
      .onElicit({ ...handlers, b: 'form' })
      .build();
    expect(Object.keys(plugin.client.handlers)).toEqual(['a']);
  });

  it('refuses handlers that are missing, surplus or none, and names them', () => {
    const loose = makePlugin(tool).onElicit as (handlers: unknown) => unknown;
    expect(() => loose({ a: handlers.a })).toThrow("'b' has no handler");
    expect(() => loose({ ...handlers, c: handlers.a })).toThrow("'c' is no elicitation of the tool");
    expect(() => loose({ ...handlers, b: { handle: 1 } })).toThrow(
      "the handler 'b' is not a generator function",
    );
    expect(() => loose({ ...handlers, b: async () => {} })).toThrow(
      "the handler 'b' is not a generator function",
    );
    expect(() => loose({})).toThrow(PluginDefinitionError);
  });

  it('refuses what is no finished tool, and to be built without handlers', () => {
    // @ts-expect-error: a builder is no tool
    expect(() => makePlugin(createMcpTool('x'))).toThrow(
      'end createMcpTool(…) with .execute() or .handoff()',
    );
    // @ts-expect-error: handlers first
    expect(() => makePlugin(tool).build()).toThrow('call .onElicit() before .build()');
  });

  it('refuses steps around samplings that would never run', () => {
    const loose = makePlugin(tool).onElicit(handlers).sampling as (config: unknown) => unknown;
    expect(() => loose(undefined)).toThrow('.sampling() takes { before, act, after }');
    expect(() => loose({ befor: function* () {} })).toThrow("knows no 'befor': it knows before, act, after");
    expect(() => loose({ after: async () => {} })).toThrow("step 'after' is not a generator function");
    expect(() => loose({ limit: 3, *before() {} })).not.toThrow();
  });

  it('refuses no handlers at all with a sentence', () => {
    const loose = makePlugin(tool).onElicit as (handlers?: unknown) => unknown;
    expect(() => loose()).toThrow('.onElicit() takes an object with a handler for each question');
  });
});
