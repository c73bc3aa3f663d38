import { fileURLToPath } from 'node:url';
import { type Operation, run, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { EdgeContext, LogContext, useOwnEdge } from '#src/vscode/contexts.ts';
import type { ServerUnit } from '#src/vscode/servers/server-unit.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';
import { nodeServer, textOf } from '#test/mcp/kit/foreign.ts';
import { createUnits } from './units-kit.ts';

const program = fileURLToPath(new URL('../../../mcp/kit/hostile-server.ts', import.meta.url));

/** A window with a server that begins in a way of its own, and one that is well. */
interface BesideGood {
  readonly bad: ServerUnit;
  /** All lines of the bad one's log. */
  log(): string;
  /** Waits until this holds of the bad one. */
  until(holds: () => boolean): Operation<void>;
  /** The text that a tool of either gives; what it fails with. */
  call(name: string, client?: ReturnType<typeof createMockMcpClient>): Operation<string>;
}

function besideGood(start: string, test: (window: BesideGood) => Operation<void>): Promise<void> {
  const units = createUnits();
  return run(function* () {
    const nothing = () => {};
    yield* LogContext.set({
      debug: nothing,
      info: nothing,
      warn: nothing,
      error: nothing,
      call: nothing,
      show: nothing,
    });
    yield* EdgeContext.set(yield* useOwnEdge());
    const registry = createToolRegistry();
    function* call(name: string, client = createMockMcpClient()): Operation<string> {
      const tool = registry.get(name)?.tool;
      if (!tool) throw new Error(`there is no '${name}'`);
      try {
        return textOf(yield* runMcpTool(tool, {}, client));
      } catch (error) {
        return String(error);
      }
    }
    const good = yield* units.start(nodeServer('good', program), registry);
    const bad = yield* units.start(nodeServer('bad', program, start), registry);
    yield* units.until(() => good.row.state.kind === 'ready');
    const hanging = yield* spawn(() => call('good__hang'));
    yield* test({
      bad,
      log: () => units.logs.get('bad')?.join('\n') ?? '',
      until: (holds) => units.until(holds),
      call,
    });
    // The other was never away: its call is still open, and it answers.
    expect(good.row).toEqual({ name: 'good', place: 'setting', state: { kind: 'ready', era: '2025' } });
    expect(yield* call('good__echo')).toBe('echo');
    expect(units.logs.get('good')?.join('\n')).not.toContain('ended');
    yield* hanging.halt();
  });
}

describe('beside a server of the window that is well, one that', () => {
  it('ends before it has said anything is named with its last words, in its row and in its log', () =>
    besideGood('crashes', function* ({ bad, log, until }) {
      yield* until(() => bad.row.state.kind === 'waiting');
      expect(bad.row.state).toMatchObject({ why: expect.stringContaining('I have no license') });
      expect(log()).toContain('I have no license');
      expect(log()).toContain('it ended with 4');
    }));

  it('crashes in a call fails that call with how it ended, says so, and is started again', () =>
    besideGood('ready', function* ({ bad, log, until, call }) {
      yield* until(() => bad.row.state.kind === 'ready');
      expect(yield* call('bad__crash')).toContain('it ended with 3');
      yield* until(() => bad.row.state.kind !== 'ready');
      yield* until(() => bad.row.state.kind === 'ready');
      expect(log()).toContain('it ended with 3');
      expect(yield* call('bad__echo')).toBe('echo');
    }));

  it('never says what it speaks stays on its way, and is ended when the person stops it', () =>
    besideGood('hangs', function* ({ bad, log, until }) {
      yield* until(() => log() !== '');
      expect(bad.row.state).toEqual({ kind: 'connecting' });
      const pid = Number(log());
      expect(process.kill(pid, 0)).toBe(true);
      yield* bad.rest({ kind: 'stopped' });
      expect(bad.row.state).toEqual({ kind: 'stopped' });
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    }));

  it('floods is heard in part, says that the rest is dropped, and is used all the same', () =>
    besideGood('floods', function* ({ bad, log, until, call }) {
      yield* until(() => bad.row.state.kind === 'ready');
      yield* until(() => log().includes('the rest is dropped'));
      expect(yield* call('bad__echo')).toBe('echo');
      expect(log().split('\n').length).toBeLessThan(4_000);
    }));

  it('lies about its schemas is used as it is, and the call’s log says what does not fit', () =>
    besideGood('lies', function* ({ bad, until, call }) {
      yield* until(() => bad.row.state.kind === 'ready');
      const client = createMockMcpClient();
      expect(yield* call('bad__number', client)).toBe('{"n":"many"}');
      expect(JSON.stringify(client.transcript)).toContain("the result is not what 'bad' says it is");
      expect(yield* call('bad__endless')).toBe('taken');
    }));

  it('offers a list that it does not have is used for what it has, and its log says so', () =>
    besideGood('ready', function* ({ bad, log, until, call }) {
      yield* until(() => bad.row.state.kind === 'ready');
      expect(log()).toContain('its prompts could not be read');
      expect(yield* call('bad__echo')).toBe('echo');
    }));
});
