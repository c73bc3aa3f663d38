import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpRegistry, createMcpTool, makePlugin } from '#src/core/index.ts';

const named = (name: string) =>
  createMcpTool(name)
    .description('d')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return 1;
    });

describe('a registry', () => {
  it('refuses a name twice, also of a tool and its plugin, and keeps what it had', () => {
    const one = named('one');
    expect(() => createMcpRegistry([one, named('one')])).toThrow("'one' is there twice");
    const registry = createMcpRegistry<unknown>([one]);
    let changes = 0;
    registry.subscribe(() => changes++);
    expect(() => registry.set([one, makePlugin(one).onElicit({}).build()])).toThrow("'one' is there twice");
    expect([registry.list(), changes]).toEqual([[one], 0]);
    registry.set([one, named('two')]);
    expect(changes).toBe(1);
  });

  it('refuses what is no list with a sentence', () => {
    expect(() => createMcpRegistry({ tools: [] } as never)).toThrow('createMcpRegistry([ … ])');
  });
});
