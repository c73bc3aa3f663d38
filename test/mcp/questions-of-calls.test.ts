import { join } from 'node:path';
import { spawn, until } from 'effection';
import { expect, it } from 'vitest';
import { createMockMcpClient } from '#src/testing/index.ts';
import { nodeServer, textOf, withServer } from './kit/foreign.ts';

const server = join(import.meta.dirname, 'kit/asking-server.ts');

/** A person who says what they were asked, and notes it. */
function person(asked: string[] = []) {
  return createMockMcpClient({
    elicitResponses: ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { answer: message } };
    },
  });
}

/** A person who never answers; tells when they are asked. */
function silent() {
  const asked = Promise.withResolvers<void>();
  const client = createMockMcpClient({
    elicitResponses: () => {
      asked.resolve();
      return new Promise<never>(() => {});
    },
  });
  return { client, asked: asked.promise };
}

it('what a server of 2026-07-28 asks over stdio is asked of whoever made that call, however long others have waited', async () => {
  await withServer(nodeServer('asking', server, '2026'), function* ({ call }) {
    const others: string[] = [];
    yield* spawn(() => call('wait', { as: 'A' }, person(others)));
    const said = textOf(yield* call('two', { as: 'B' }, person()));
    expect(JSON.parse(said)).toMatchObject([{ content: { answer: 'B 1' } }, { content: { answer: 'B 2' } }]);
    expect(others).toEqual([]);
  });
});

it.each(['2025', '2026'])(
  'a server of %s that asks two things at once asks both of one call, while another waits for an answer',
  async (era) => {
    await withServer(nodeServer('asking', server, era), function* ({ call }) {
      const other = silent();
      yield* spawn(() => call('one', { as: 'A' }, other.client));
      yield* until(other.asked);
      const said = textOf(yield* call('two', { as: 'B' }, person()));
      expect(JSON.parse(said)).toMatchObject([
        { content: { answer: 'B 1' } },
        { content: { answer: 'B 2' } },
      ]);
    });
  },
);

it('a question that was taken for that of a call that is answered without it is asked in the call that waits', async () => {
  await withServer(nodeServer('asking', server, '2025'), function* ({ call }) {
    const other = silent();
    yield* spawn(() => call('wait', { as: 'A' }, other.client));
    const asking = yield* spawn(() => call('one', { as: 'B' }, person()));
    yield* until(other.asked);
    yield* call('end');
    expect(JSON.parse(textOf(yield* asking))).toMatchObject([{ content: { answer: 'B 1' } }]);
  });
});

it('a server hears that nobody answers what it has asked in a call that was cancelled', async () => {
  await withServer(nodeServer('asking', server, '2025'), function* ({ call }) {
    const other = silent();
    const cancelled = yield* spawn(() => call('one', { as: 'A' }, other.client));
    yield* until(other.asked);
    yield* cancelled.halt();
    expect(textOf(yield* call('refused'))).toContain('the call was cancelled');
  });
});
