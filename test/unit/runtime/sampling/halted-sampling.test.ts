import { type Operation, run, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { SampleAnswer } from '#src/core/tool/ask.ts';
import { createSampling } from '#src/runtime/sampling/sampling.ts';

describe('a sampling that is halted', () => {
  it('ends what the client was doing, and leaves the history alone', async () => {
    const log: string[] = [];
    const asked = withResolvers<void>();
    const { sampleSchema } = createSampling({
      toolName: 't',
      *sampleOnce(): Operation<SampleAnswer> {
        try {
          asked.resolve();
          yield* suspend();
          throw new Error('nothing wakes it');
        } finally {
          log.push('client ended');
        }
      },
      capabilities: () => ({ sampling: { tools: true } }),
      history: () => [],
      remember: () => void log.push('remembered'),
    });
    const task = run(() => sampleSchema({ prompt: 'x', schema: z.object({}) }));
    task.catch(() => {});
    await run(() => asked.operation);
    await task.halt();
    expect(log).toEqual(['client ended']);
  });
});
