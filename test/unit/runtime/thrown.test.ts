import { type Operation, run, sleep } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import { endOf } from './session-kit.ts';

const fails = (): never => {
  throw new Error('not for you');
};

/** What throws when somebody looks at it. */
const THROWN = {
  'a proxy': new Proxy({}, { get: fails, getPrototypeOf: fails, has: fails }),
  'a proxy of an error': new Proxy(new Error('m'), { get: fails }),
  'an object that is no text': { toString: fails },
  'an error without a name': Object.defineProperty(new Error('m'), 'name', { get: fails }),
  'an error with a hidden cause': Object.defineProperty(new Error('m'), 'cause', { get: fails }),
};

function end(code: () => Generator<never, never> | Operation<never>): Promise<EndEvent | undefined> {
  return run(function* () {
    const manager = yield* createSessionManager();
    const tool = createMcpTool('odd')
      .description('Throws')
      .parameters(z.object({}))
      .elicits({})
      .execute(code as () => Operation<never>);
    const session = yield* manager.create({ tool, params: {} });
    yield* endOf(session);
    return session.ended();
  });
}

describe.each(Object.entries(THROWN))('%s', (_, thrown) => {
  it.each([
    [
      'at once',
      function* (): Operation<never> {
        throw thrown;
      },
    ],
    [
      'later',
      function* (): Operation<never> {
        yield* sleep(0);
        throw thrown;
      },
    ],
    [
      'as it is called',
      (): never => {
        throw thrown;
      },
    ],
  ])('that a tool throws %s ends its call, and nothing else', async (_when, code) => {
    expect(await end(code)).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('cannot be read') },
    });
  });
});
