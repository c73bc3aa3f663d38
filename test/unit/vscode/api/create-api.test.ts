import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool, makePlugin } from '#src/core/index.ts';
import type { ParleyApi } from '#src/vscode/agents/api/api.ts';
import { createExports } from '#src/vscode/agents/api/create-api.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';

const tool = (name: string) =>
  createMcpTool(name)
    .description('Does nothing.')
    .parameters(z.object({}))
    .elicits({ sure: z.object({ yes: z.boolean() }) })
    .execute(function* () {});

const open = () => {
  const registry = createToolRegistry();
  return { registry, api: createExports(registry).getApi(1) };
};

describe('the API for other extensions', () => {
  it('registers tools and plugins, and takes each back once', () => {
    const { registry, api } = open();
    const first = api.registerTool(tool('first'));
    const plugin = makePlugin(tool('second')).onElicit({ sure: 'form' }).build();
    const second = api.registerPlugin(plugin);
    expect(api.tools()).toEqual(['first', 'second']);
    expect(registry.get('second')).toMatchObject({ plugin, source: { kind: 'extension' } });
    first.dispose();
    first.dispose();
    expect(api.tools()).toEqual(['second']);
    second.dispose();
    expect(api.tools()).toEqual([]);
  });

  it('tells of every change of tools until the listener is disposed', () => {
    const { registry, api } = open();
    let changes = 0;
    const kept: { dispose(): unknown }[] = [];
    api.onDidChangeTools(() => changes++, undefined, kept as never);
    const registered = api.registerTool(tool('mine'));
    registry.register({ kind: 'shipped', id: 'p', label: 'P' }, { tools: [{ tool: tool('theirs') }] });
    expect(changes).toBe(2);
    for (const one of kept) one.dispose();
    registered.dispose();
    expect(changes).toBe(2);
  });

  it('lets a shipped tool keep its name', () => {
    const { registry, api } = open();
    api.registerTool(tool('ask_user'));
    registry.register({ kind: 'shipped', id: 'p', label: 'P' }, { tools: [{ tool: tool('ask_user') }] });
    expect(registry.get('ask_user')?.source.kind).toBe('shipped');
  });

  it('refuses what is none of both, and a version that is not there', () => {
    const { registry, api } = open();
    const untyped = api as unknown as Record<keyof ParleyApi, (value: unknown) => void>;
    expect(() => untyped.registerTool({ name: 'x' })).toThrow(TypeError);
    expect(() => untyped.registerPlugin(tool('x'))).toThrow(/makePlugin/);
    expect(registry.list()).toEqual([]);
    expect(() => createExports(createToolRegistry()).getApi(2 as 1)).toThrow(RangeError);
  });
});
