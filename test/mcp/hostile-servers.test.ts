import { fileURLToPath } from 'node:url';
import { action, run, spawn, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { useMcpConnection, useServers } from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { nodeServer, textOf, withServer } from './kit/foreign.ts';
import { outcome } from './kit/outcome.ts';

const program = fileURLToPath(new URL('./kit/hostile-server.ts', import.meta.url));
const hostile = nodeServer('hostile', program);

describe('a server that misbehaves in a call', () => {
  it('and crashes is named with how it ended; it is started again, and others go on', () =>
    run(function* () {
      const servers = yield* useServers([hostile, nodeServer('other', program)]);
      for (const connection of servers.connections) yield* connection.client();
      const call = (name: string) => {
        const tool = servers.tools.list().find((one) => one.name === name);
        if (!tool) throw new Error(`there is no '${name}'`);
        return runMcpTool(tool, {});
      };
      const waiting = yield* spawn(() => call('other__hang'));
      const failed = yield* outcome(call('hostile__crash'));
      expect(failed).toMatchObject({
        code: 'SERVER_UNAVAILABLE',
        message: expect.stringContaining('it ended with 3'),
      });
      expect(textOf(yield* call('other__echo'))).toBe('echo');
      expect(textOf(yield* call('hostile__echo'))).toBe('echo');
      yield* waiting.halt();
    }));

  it('and never answers keeps nobody: the call can be halted, and the next one is answered', () =>
    withServer(hostile, function* ({ call }) {
      const hanging = yield* spawn(() => call('hang'));
      yield* hanging.halt();
      expect(textOf(yield* call('echo'))).toBe('echo');
    }));

  it('and floods is heard in part: what it answers comes, and few lines of what it says', () =>
    withServer(hostile, function* ({ call, said }) {
      const client = createMockMcpClient();
      const began = performance.now();
      const before = said.length;
      expect(textOf(yield* call('flood', {}, client))).toBe('after the flood');
      // The seconds of the clock that the flood was in; a slow machine needs more of them.
      const seconds = Math.ceil((performance.now() - began) / 1_000) + 1;
      expect(client.transcript.length).toBeLessThanOrEqual(500 * seconds + 10);
      expect(said.length - before).toBeLessThanOrEqual(200 * seconds);
      expect(said.join('\n')).toContain('the rest is dropped');
      expect(textOf(yield* call('echo'))).toBe('echo');
    }));

  it('and sends 100 MB fails with a clear word, and little of it is kept', () =>
    withServer(hostile, function* ({ call }) {
      const before = process.memoryUsage().rss;
      const failed = yield* outcome(call('huge'));
      expect(failed).toMatchObject({
        code: 'SERVER_UNAVAILABLE',
        message: expect.stringContaining('longer than 16777216 bytes'),
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 ** 2);
      expect(textOf(yield* call('echo'))).toBe('echo');
    }));

  it('and answers 10,000 levels deep fails that call alone', () =>
    withServer(hostile, function* ({ call }) {
      const failed = yield* outcome(call('deep'));
      expect(failed).toMatchObject({ message: expect.stringContaining('deeper than 100 levels') });
      expect(textOf(yield* call('echo'))).toBe('echo');
    }));

  it('and answers to what nobody asked, or twice, is taken at its first word', () =>
    withServer(hostile, function* ({ call }) {
      expect(textOf(yield* call('twice'))).toBe('first');
      expect(textOf(yield* call('echo'))).toBe('echo');
    }));

  it('and changes its tools meanwhile goes on with the call, and has the new tools', () =>
    withServer(hostile, function* ({ call, connection }) {
      expect(textOf(yield* call('change'))).toBe('after the change');
      const has = () => connection.offers().tools.some(({ name }) => name === 'added');
      yield* action<void>((resolve) => {
        const look = () => has() && resolve();
        look();
        return connection.subscribe(look);
      });
      expect(has()).toBe(true);
    }));
});

describe('a server that misbehaves while nobody calls', () => {
  it('and asks is told that there is nobody to ask', () =>
    withServer(nodeServer('asks', program, 'asks'), function* ({ said, call }) {
      expect(textOf(yield* call('echo'))).toBe('echo');
      expect(said.join('\n')).toContain('was told: no tool of this server is being called');
    }));

  it('and says without a pause that its tools have changed is read once a second', { tags: 'long' }, () =>
    withServer(nodeServer('stirs', program, 'stirs'), function* ({ call, connection }) {
      const began = performance.now();
      const lists = new Set<object>();
      const stop = connection.subscribe(() => lists.add(connection.offers()));
      // It answers when its tools are read again, and goes on telling.
      expect(textOf(yield* call('change'))).toBe('after the change');
      expect(textOf(yield* call('change'))).toBe('after the change');
      stop();
      expect(lists.size).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 1_000) + 2);
    }),
  );

  it('and offers a list that it does not have is used for what it has', () =>
    withServer(hostile, function* ({ connection, said }) {
      expect(connection.offers().prompts).toEqual([]);
      expect(said.join('\n')).toContain('its prompts could not be read');
    }));

  it('and never says what it speaks is ended at once when it is not wanted any more', {
    tags: 'long',
  }, async () => {
    const began = performance.now();
    let pid = 0;
    await run(function* () {
      const starting = withResolvers<void>();
      const onLog = ({ message }: { readonly message: string }) => {
        pid = Number(message);
        starting.resolve();
      };
      const connection = yield* useMcpConnection(nodeServer('hangs', program, 'hangs'), { onLog });
      expect(connection.state()).toEqual({ kind: 'connecting' });
      yield* starting.operation;
    });
    // Its input has ended, then it was told to end: nobody waited out the 30 s that it has to say what it speaks.
    expect(performance.now() - began).toBeLessThan(25_000);
    expect(pid).toBeGreaterThan(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

it('names of tools with hostile characters are legal and their own', () =>
  run(function* () {
    const servers = yield* useServers([hostile]);
    for (const connection of servers.connections) yield* connection.client();
    const names = servers.tools.list().map(({ name }) => name);
    expect(new Set(names).size).toBe(12);
    for (const name of names) expect(name).toMatch(/^hostile__[a-zA-Z0-9_-]+$/);
    const markup = servers.tools.list().find(({ name }) => name.includes('img'));
    if (!markup) throw new Error('it is not there');
    expect(textOf(yield* runMcpTool(markup, {}))).toBe('markup');
  }));
