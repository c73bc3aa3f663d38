import { type Operation, run, sleep, useScope } from 'effection';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useShippedOverMcp } from '#src/vscode/agents/mcp/offers/shipped-over-mcp.ts';

/** How long parts of the editor take, milliseconds. */
interface Delays {
  /** Until the extension hears of a setting; until the editor asks for a list, has it, and says what it has. */
  readonly hears: number;
  readonly asks: number;
  readonly reads: number;
  readonly tells: number;
  /** Until a context key counts. */
  readonly keys: number;
}

/** An editor: what the model has is what its setting, its key and its last list say at that moment. */
function* useEditor(delays: Delays, connected = true) {
  const seen: string[] = [];
  const editor = { inPanel: true, held: false, overMcp: false, told: false };
  let heard = true;
  let change = () => {};
  let asked = 0;
  const look = () => {
    const has = [editor.inPanel && !editor.held && 'manifest', editor.overMcp && 'mcp'].filter(Boolean);
    seen.push(has.join(' and ') || 'neither');
  };
  const scope = yield* useScope();
  const after = (ms: number, what: () => void) =>
    void scope.run(function* () {
      yield* sleep(ms);
      what();
    });
  const shipped = yield* useShippedOverMcp({
    wanted: () => !heard,
    *onWanted(changed) {
      change = changed;
    },
    *holdBack(held): Operation<void> {
      yield* sleep(delays.keys);
      editor.held = held;
      look();
    },
    known: () => editor.told,
  });
  const read = () => {
    const mine = ++asked;
    shipped.listed();
    const has = shipped.now();
    after(delays.reads, () => {
      // A list that was asked for later takes its place.
      if (mine !== asked) return;
      editor.overMcp = has;
      look();
      after(delays.tells, () => {
        editor.told = editor.overMcp;
      });
    });
  };
  shipped.subscribe(() => connected && after(delays.asks, read));
  return {
    seen,
    set(inPanel: boolean): void {
      editor.inPanel = inPanel;
      look();
      after(delays.hears, () => {
        heard = inPanel;
        change();
      });
    },
  };
}

const usual: Delays = { hears: 5, asks: 150, reads: 30, tells: 750, keys: 5 };

describe('the shipped tools, between the manifest and MCP', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Runs a test in time that passes as fast as it can. */
  async function inTime(test: () => Operation<void>): Promise<void> {
    let over = false;
    const done = run(test).finally(() => {
      over = true;
    });
    while (!over) await vi.advanceTimersByTimeAsync(50);
    await done;
  }

  it('go from one to the other and back; a model has neither for a moment, and never both', () =>
    inTime(function* () {
      const editor = yield* useEditor(usual);
      yield* sleep(100);
      expect(editor.seen).toEqual([]);
      editor.set(false);
      yield* sleep(5_000);
      editor.set(true);
      yield* sleep(5_000);
      expect(editor.seen).toEqual([...['neither', 'neither', 'mcp'], ...['mcp', 'neither', 'manifest']]);
    }));

  it('are never there twice, however often the setting changes, and in the end where it says', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          hears: fc.nat(50),
          asks: fc.nat(400),
          reads: fc.nat(400),
          tells: fc.nat(1_000),
          keys: fc.nat(50),
        }),
        fc.array(fc.tuple(fc.boolean(), fc.nat(2_500)), { minLength: 1, maxLength: 8 }),
        (delays, changes) =>
          inTime(function* () {
            const editor = yield* useEditor(delays);
            for (const [inPanel, pause] of changes) {
              editor.set(inPanel);
              yield* sleep(pause);
            }
            yield* sleep(10_000);
            expect(editor.seen).not.toContain('manifest and mcp');
            expect(editor.seen.at(-1)).toBe(changes.at(-1)?.[0] ? 'manifest' : 'mcp');
          }),
      ),
      { numRuns: 50 },
    ));

  it('are back where the manifest declares them also when no list was ever read', () =>
    inTime(function* () {
      const editor = yield* useEditor(usual, false);
      editor.set(false);
      yield* sleep(1_000);
      editor.set(true);
      yield* sleep(1_000);
      expect(editor.seen.at(-1)).toBe('manifest');
    }));
});
