import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createMcpTool, makePlugin } from '#src/core/index.ts';
import type { Problem } from '#src/workspace/registry/problem.ts';
import { createToolRegistry, type RegistryChange } from '#src/workspace/registry/registry.ts';
import type { ToolSource } from '#src/workspace/registry/tool-source.ts';

const tool = (name: string) =>
  createMcpTool(name)
    .description('A tool of a test.')
    .parameters(z.object({ n: z.number() }))
    .elicits({})
    .execute(function* ({ n }) {
      return n;
    });

const shipped: ToolSource = { kind: 'shipped', id: 'parley', label: 'Parley' };
const extension = (id: string): ToolSource => ({ kind: 'extension', id, label: id });
const folder = (id: string, order: number): ToolSource => ({
  kind: 'workspace',
  id,
  label: id,
  folder: `/${id}`,
  order,
});
const offer = (name: string, file: string) => ({ tool: tool(name), place: { file, line: 2, column: 3 } });
const problem: Problem = {
  kind: 'build',
  severity: 'error',
  file: '/x/a.ts',
  line: 1,
  column: 1,
  length: 0,
  message: 'no',
};

describe('a registry', () => {
  test('lists tools and plugins by the order of their sources', () => {
    const registry = createToolRegistry();
    registry.register(folder('two', 1), { tools: [offer('d', '/two/d.ts')] });
    registry.register(folder('one', 0), { tools: [offer('c', '/one/c.ts')] });
    registry.register(extension('ext'), { tools: [{ tool: tool('b') }] });
    const plugin = makePlugin(tool('a')).onElicit({}).build();
    registry.register(shipped, { tools: [{ tool: plugin }] });
    expect(registry.list().map(({ name, source }) => [name, source.id])).toEqual([
      ['a', 'parley'],
      ['b', 'ext'],
      ['c', 'one'],
      ['d', 'two'],
    ]);
    expect(registry.get('a')).toMatchObject({ plugin, tool: plugin.server.tools[0], place: undefined });
    expect(registry.get('b')?.plugin).toBeUndefined();
    expect(registry.get('z')).toBeUndefined();
  });

  test('gives a name to shipped tools before extensions, to those before folders, to folders in order', () => {
    const registry = createToolRegistry();
    const two = registry.register(folder('two', 1), { tools: [offer('same', '/two/a.ts')] });
    expect(registry.get('same')?.source.id).toBe('two');
    const one = registry.register(folder('one', 0), { tools: [offer('same', '/one/a.ts')] });
    expect(registry.get('same')?.source.id).toBe('one');
    const ext = registry.register(extension('ext'), { tools: [{ tool: tool('same') }] });
    expect(registry.get('same')?.source.id).toBe('ext');
    const own = registry.register(shipped, { tools: [{ tool: tool('same') }] });
    expect(registry.get('same')?.source.id).toBe('parley');
    expect(
      registry.problems().map(({ file, message }) => [file, /because (.*) already/.exec(message)?.[1]]),
    ).toEqual([
      ['/one/a.ts', 'Parley itself'],
      ['/two/a.ts', 'Parley itself'],
    ]);
    own.unregister();
    ext.unregister();
    expect(registry.problems()).toMatchObject([
      {
        kind: 'duplicate',
        file: '/two/a.ts',
        line: 2,
        column: 3,
        message: expect.stringContaining('because a.ts of one already'),
        related: [{ file: '/one/a.ts', line: 2, column: 3 }],
      },
    ]);
    one.unregister();
    expect(registry.get('same')?.source.id).toBe('two');
    expect(registry.problems()).toEqual([]);
    two.unregister();
    expect(registry.list()).toEqual([]);
  });

  test('shows a source with the tools that lost their name', () => {
    const registry = createToolRegistry();
    registry.register(shipped, { tools: [{ tool: tool('same') }] });
    registry.register(folder('one', 0), { tools: [offer('same', '/one/a.ts'), offer('b', '/one/b.ts')] });
    expect(registry.sources().map(({ source, tools }) => [source.id, tools.map(({ name }) => name)])).toEqual(
      [
        ['parley', ['same']],
        ['one', ['same', 'b']],
      ],
    );
  });

  test('refuses a source that is registered already, and one may come again after it went', () => {
    const registry = createToolRegistry();
    const first = registry.register(shipped);
    expect(() => registry.register(shipped)).toThrow("'parley' is registered already");
    first.unregister();
    const second = registry.register(shipped, { tools: [{ tool: tool('a') }] });
    first.replace({ tools: [] });
    first.unregister();
    expect(registry.list()).toHaveLength(1);
    second.unregister();
  });
});

describe('a change of a registry', () => {
  test('is told at once, once per replacement, with what it touched', () => {
    const registry = createToolRegistry();
    const seen: RegistryChange[] = [];
    const one = registry.register(folder('one', 0));
    const stop = registry.subscribe((change) => {
      seen.push(change);
      expect(registry.version).toBe(change.version);
    });
    const a = offer('a', '/one/a.ts');
    one.replace({ tools: [a, offer('b', '/one/b.ts')] });
    one.replace({ tools: [a], problems: [problem] });
    one.replace({ tools: [a], problems: [{ ...problem }] });
    one.replace({ tools: [a] });
    one.unregister();
    stop();
    registry.register(shipped, { tools: [{ tool: tool('a') }] });
    expect(seen).toEqual([
      { version: 1, tools: true, problems: false },
      { version: 2, tools: true, problems: true },
      { version: 3, tools: false, problems: true },
      { version: 4, tools: true, problems: false },
    ]);
  });

  test('is one when a plugin takes the place of its bare tool', () => {
    const registry = createToolRegistry();
    const bare = tool('a');
    const own = registry.register(shipped, { tools: [{ tool: bare }] });
    const { version } = registry;
    own.replace({ tools: [{ tool: makePlugin(bare).onElicit({}).build() }] });
    expect(registry.version).toBe(version + 1);
  });

  test('reaches everybody, whatever a listener throws', () => {
    const errors: unknown[] = [];
    const registry = createToolRegistry({ onListenerError: (error) => errors.push(error) });
    let told = 0;
    registry.subscribe(() => {
      throw new Error('no');
    });
    registry.subscribe(() => told++);
    registry.register(shipped, { tools: [{ tool: tool('a') }] });
    expect(told).toBe(1);
    expect(errors).toMatchObject([{ message: 'no' }]);
  });
});

describe('a view bundle', () => {
  test('is found by the hash in a key, also when a later one has come, until its source goes', () => {
    const registry = createToolRegistry();
    const own = registry.register(folder('one', 0));
    const bundle = (hash: string) => ({ hash, script: `/out/views-${hash}.js`, style: undefined });
    own.replace({ tools: [], views: bundle('aaaa') });
    own.replace({ tools: [], views: bundle('bbbb') });
    expect(registry.viewBundle('one:x@y.view.tsx#X@aaaa')?.hash).toBe('aaaa');
    expect(registry.viewBundle('one:x@y.view.tsx#X@bbbb')?.hash).toBe('bbbb');
    expect(registry.viewBundle('parley:x.view.tsx#X@cccc')).toBeUndefined();
    own.unregister();
    expect(registry.viewBundle('one:x@y.view.tsx#X@aaaa')).toBeUndefined();
  });
});
