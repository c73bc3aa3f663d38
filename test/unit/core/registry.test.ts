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

  it.each([
    [
      'what was not exported',
      undefined,
      'item 1 of a registry is no tool, plugin, prompt or resource: is it exported',
    ],
    ['an object', {}, 'item 1 of a registry is no tool'],
    [
      'a tool without its end',
      createMcpTool('late'),
      "tool 'late' has no end: end it with .execute() or .handoff()",
    ],
  ])('refuses %s, when it is made and later', (_, item, words) => {
    expect(() => createMcpRegistry([item])).toThrow(words);
    expect(() => createMcpRegistry<unknown>().set([item])).toThrow(words);
  });

  it('refuses what is no list with a sentence', () => {
    expect(() => createMcpRegistry({ tools: [] } as never)).toThrow('createMcpRegistry([ … ])');
  });
});
