import { run, spawn, withResolvers } from 'effection';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { failing } from '#examples/workspace/.parley/tools/failing.ts';
import { slowCount } from '#examples/workspace/.parley/tools/slow-count.ts';
import { wordCount } from '#examples/workspace/.parley/tools/word-count.ts';

describe('word_count', () => {
  test('counts as a person would', async () => {
    expect(await runMcpTool(wordCount, { text: "It isn't far.\nIs it? 👩‍👩‍👧" })).toEqual({
      characters: 22,
      words: 5,
      sentences: 3,
      lines: 2,
      readingMinutes: 0,
    });
  });

  test('finds nothing in nothing', async () => {
    expect(await runMcpTool(wordCount, { text: '' })).toMatchObject({ characters: 0, words: 0, lines: 0 });
  });
});

describe('slow_count', () => {
  test('reports each step and counts to the end', async () => {
    const client = createMockMcpClient();
    expect(await runMcpTool(slowCount, { steps: 3, interval: 0 }, client)).toEqual({ counted: 3 });
    expect(client.transcript.findLast(({ type }) => type === 'notify')).toMatchObject({ value: 3, total: 3 });
  });

  test('stops when whoever called it goes away', async () => {
    const mock = createMockMcpClient();
    await run(function* () {
      const counting = withResolvers<void>();
      const client = {
        ...mock,
        *notify() {
          counting.resolve();
        },
      };
      const task = yield* spawn(() => runMcpTool(slowCount, { steps: 1000, interval: 1 }, client));
      yield* counting.operation;
      yield* task.halt();
    });
    // At the end it would have written to the log.
    expect(mock.transcript).toEqual([]);
  });

  test('takes no count that would never end', async () => {
    await expect(runMcpTool(slowCount, { steps: 1e9 })).rejects.toMatchObject({ code: 'PARAMS_INVALID' });
  });
});

describe('failing', () => {
  test('fails with a message that says what to do, and the causes below it', async () => {
    await expect(runMcpTool(failing, { file: 'a.json' })).rejects.toMatchObject({
      message: 'The prices are not available: check that a.json exists, then try again.',
      cause: {
        message: 'a.json cannot be read',
        cause: { message: 'no such file: a.json', code: 'ENOENT' },
      },
    });
  });
});
