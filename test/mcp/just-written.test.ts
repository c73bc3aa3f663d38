import { createMcpTool } from 'parley-mcp';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createCodeMode } from '#src/code/code-mode.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { CodeSurface } from '#src/mcp/index.ts';
import { sharedEngine } from '../unit/code/code-kit.ts';
import { bothEras } from './kit/edge.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { accept, ask } from './kit/wire.ts';

const engine = sharedEngine();
const mode = createCodeMode({
  *engine() {
    return engine();
  },
});

/** A tool that gives its version, and takes no more than that version takes. */
const version = (name: string, number: number) =>
  createMcpTool(name)
    .description('Gives its version.')
    .parameters(z.strictObject({ [`of${number}`]: z.int().default(0) }))
    .output(z.object({ version: z.int() }))
    .annotations({ readOnlyHint: number % 2 === 0 })
    .elicits({})
    .execute(function* (params) {
      if (params.of2 === 13) throw new Error('the disk is full');
      return { version: number };
    });

const changing = (name: string, does: () => void) =>
  createMcpTool(name)
    .description('Changes something.')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      does();
      return `${name} ran`;
    });

const asking = createMcpTool('asks')
  .description('Asks who it is.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true })
  .elicits({ who: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    const { name } = yield* ctx.elicit.strict('who', { message: 'Who?' });
    return `answered by ${name}`;
  });

/** A server whose tools `a` and `b` are in their second version on disk, and in the first one until somebody catches up. */
async function startWritten({ code, said }: { code?: CodeSurface; said?: string } = {}) {
  const disk = new Map<string, AnyTool>();
  let tools: readonly AnyTool[] = [];
  const listeners = new Set<() => void>();
  const replace = (next: readonly AnyTool[]) => {
    tools = next;
    for (const listener of listeners) listener();
  };
  const asked: string[] = [];
  const running = await startServer({
    tools: {
      list: () => tools,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    progressive: {
      above: 0,
      *approve() {
        return true;
      },
      *catchUp(name) {
        asked.push(name);
        const written = disk.get(name);
        if (!written) throw new Error(`'${name}' is not in its file any more`);
        replace([...tools.filter((tool) => tool.name !== name), written]);
        return said;
      },
      code: () => code,
    },
  });
  return {
    asked,
    /** Writes the file of a tool that changes something when it runs. */
    put(name: string, does: () => void = () => {}) {
      disk.set(name, changing(name, does));
    },
    /** Deletes the file of a tool, and has that told of. */
    take(name: string) {
      disk.delete(name);
      replace(tools.filter((tool) => tool.name !== name));
    },
    write(...names: string[]) {
      replace([version('a', 1), version('b', 1), asking]);
      disk.clear();
      for (const name of names) disk.set(name, name === 'asks' ? asking : version(name, 2));
      return (running as InProcess).url;
    },
  };
}

const call = (name: string, args: object) => ['tools/call', { name, arguments: args }] as const;

describe('a tool that was written a moment ago', () => {
  it.each([
    ['by its name', call('a', { of2: 1 })],
    ['by run_tool', call('run_tool', { name: 'a', arguments: { of2: 1 } })],
  ])('is called %s as it is written', async (_how, request) => {
    const { write } = await startWritten();
    for (const client of await bothEras(write('a'))) {
      write('a');
      const { structuredContent } = await client.request(...request);
      expect(structuredContent).toEqual({ version: 2 });
    }
  });

  it('is a step of run_chain as it is written, each of them', async () => {
    const { write } = await startWritten();
    const steps = ['a', 'b'].map((name) => ({ name, arguments: { of2: 1 } }));
    for (const client of await bothEras(write('a', 'b'))) {
      write('a', 'b');
      const { content } = await client.request(...call('run_chain', { steps }));
      expect(JSON.parse(content[0].text).steps.map(({ result }: { result: unknown }) => result)).toEqual([
        { version: 2 },
        { version: 2 },
      ]);
    }
  });

  it('is a step of run_chain as the steps before have left it: written, written again or renamed', async () => {
    const { write, put } = await startWritten();
    const steps = ['writes', 'b', 'new'].map((name) => ({ name }));
    for (const client of await bothEras(write('a'))) {
      write('a');
      put('writes', () => put('b', () => put('new')));
      const { content } = await client.request(...call('run_chain', { steps }));
      expect(JSON.parse(content[0].text)).toEqual({
        steps: [
          { tool: 'writes', result: 'writes ran' },
          { tool: 'b', result: 'b ran' },
          { tool: 'new', result: 'new ran' },
        ],
      });
    }
  });

  it('is missed where no step before has written it, with what those have given; without any that could, nothing runs', async () => {
    const { write, put } = await startWritten();
    for (const client of await bothEras(write('a'))) {
      write('a');
      let ran = 0;
      put('writes', () => {
        ran += 1;
      });
      const chain = (...names: string[]) =>
        client.request(...call('run_chain', { steps: names.map((name) => ({ name })) }));
      expect(await chain('writes', 'nowhere', 'asks')).toMatchObject({
        isError: true,
        structuredContent: {
          steps: [{ tool: 'writes', result: 'writes ran' }],
          failed: { index: 1, tool: 'nowhere' },
        },
      });
      expect(ran).toBe(1);
      expect(await chain('nowhere', 'writes')).toMatchObject({ isError: true });
      expect(await chain('a', 'nowhere', 'writes')).toMatchObject({ isError: true });
      expect(ran).toBe(1);
    }
  });

  it('is called by code as it is written, and looked for once in a run', async () => {
    const { write, asked } = await startWritten({ code: mode });
    const code =
      'return [await tools.a({ of2: 1 }), await tools.a({ of2: 2 }), await tools.b({}).catch(String)]';
    for (const client of await bothEras(write('a'))) {
      write('a');
      const { content } = await client.request(...call('execute_code', { code }));
      const { result } = JSON.parse(content[0].text);
      expect(result).toEqual([{ version: 2 }, { version: 2 }, "Error: 'b' is not in its file any more"]);
      expect(asked.splice(0)).toEqual(['a', 'b']);
    }
  });

  it('is not there in words, where it is not', async () => {
    const { write } = await startWritten();
    for (const client of await bothEras(write())) {
      const { content, isError } = await client.request(...call('run_tool', { name: 'a' }));
      expect([content[0].text, isError]).toEqual(["run_tool failed: 'a' is not in its file any more", true]);
    }
  });

  it('needs nobody to catch up for the tools that find others', async () => {
    const { write, asked } = await startWritten();
    for (const client of await bothEras(write('a'))) {
      await client.request(...call('search_tools', { query: 'version' }));
      expect(asked).toEqual([]);
    }
  });
});

describe('a call that waits for its client while its file is deleted', () => {
  it.each([
    ['by its name', call('asks', {})[1]],
    ['by run_tool', call('run_tool', { name: 'asks' })[1]],
  ])('is answered all the same where it was called %s', async (_how, params) => {
    const { write, take } = await startWritten();
    const url = write('asks');
    const { result: asked } = await ask(url, 'tools/call', params);
    take('asks');
    const inputResponses = { who: accept({ name: 'Ada' }) };
    const { requestState } = asked;
    const { result } = await ask(url, 'tools/call', { ...params, requestState, inputResponses });
    expect(result.content).toEqual([{ type: 'text', text: 'answered by Ada' }]);
    expect((await ask(url, 'tools/call', params)).result.isError).toBe(true);
  });
});

describe('who calls a tool of which another version runs than what is written', () => {
  const said = 'Note: an older version ran.';
  const note = { type: 'text', text: said };

  it.each([
    ['a result', call('a', { of2: 1 }), { structuredContent: { version: 2 } }],
    ['an error', call('a', { of2: 13 }), { isError: true }],
    ['parameters that it does not take', call('a', { of1: 1 }), { isError: true }],
    ['what run_tool runs', call('run_tool', { name: 'a' }), { structuredContent: { version: 2 } }],
  ])('is told so once, behind %s, which is as it was', async (_what, request, rest) => {
    const { write } = await startWritten({ said });
    for (const client of await bothEras(write('a'))) {
      const { content, ...result } = await client.request(...request);
      expect(result).toMatchObject(rest);
      expect(content).toHaveLength(2);
      expect(content[1]).toEqual(note);
    }
  });

  it('is told so once for a chain, and with each call that code made', async () => {
    const code = 'return await Promise.all([tools.a(), tools.a()])';
    const { write } = await startWritten({ said, code: mode });
    for (const client of await bothEras(write('a'))) {
      const { content } = await client.request(...call('execute_code', { code }));
      expect(JSON.parse(content[0].text).calls).toEqual([
        { tool: 'a', outcome: 'ran', message: said },
        { tool: 'a', outcome: 'ran', message: said },
      ]);
    }
    const chained = await startWritten({ said });
    for (const client of await bothEras(chained.write('a', 'b'))) {
      const steps = [{ name: 'a' }, { name: 'b' }, { name: 'a' }];
      const { content } = await client.request(...call('run_chain', { steps }));
      expect(content.slice(1)).toEqual([note]);
    }
  });
});
