import { run } from 'effection';
import { expect, it, vi } from 'vitest';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';

const keys = vi.hoisted(() => new Map<string, unknown>());
vi.mock('#src/vscode/set-context-key.ts', () => ({
  *setContextKey(id: string, value: unknown) {
    keys.set(id, value);
  },
}));
vi.mock('vscode', () => ({}));

const { useContextKeys } = await import('#src/vscode/authoring/tools/context-keys.ts');
const { EdgeContext, LogContext, useOwnEdge } = await import('#src/vscode/contexts.ts');
const { menuContributions } = await import('#src/vscode/manifest/commands.ts');

/** What the palette asks before it offers a command. */
const whenOf = (command: string) =>
  menuContributions.commandPalette.find((one) => one.command === `parley.${command}`)?.when;

it('the palette offers what needs history, or tools of files, only where they are', () =>
  run(function* () {
    const said = () => {};
    yield* LogContext.set({ debug: said, info: said, warn: said, error: said, call: said, show: said });
    yield* EdgeContext.set(yield* useOwnEdge());
    const kept: unknown[] = [];
    const listeners = new Set<() => void>();
    const subscribe = (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    // Lists of which the lengths are all that is looked at.
    const problems: unknown[] = [];
    const parts = [
      { list: () => [], subscribe },
      { list: () => [], problems: () => problems, subscribe },
      { rows: () => [], subscribe },
      { list: () => kept, subscribe },
    ] as never as Parameters<typeof useContextKeys>;
    yield* useContextKeys(...parts);
    yield* eventLoopTurn();
    expect(keys.get('parley.keptCalls')).toBe(0);
    expect(keys.get('parley.ownTools')).toBe(0);
    kept.push({});
    // A file that cannot be loaded is what types are set up for.
    problems.push({});
    for (const listener of listeners) listener();
    yield* eventLoopTurn();
    expect(keys.get('parley.keptCalls')).toBe(1);
    expect(keys.get('parley.ownTools')).toBe(1);
    expect(whenOf('clearHistory')).toBe('parley.keptCalls > 0 || parley.finishedCalls > 0');
    for (const command of ['debugTool', 'setUpTypes'])
      expect(whenOf(command)).toBe('parley.ownTools > 0 || !isWorkspaceTrusted');
  }));
