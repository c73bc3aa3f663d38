import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { run } from 'effection';
import { expect, it } from 'vitest';
import type { CallHome } from '#src/mcp/era-2026/call-home.ts';
import { serveLeg } from '#src/mcp/era-2026/serve-leg.ts';
import type { RequestedCall, Result } from '#src/mcp/request/open-call.ts';
import type { StateBinding } from '#src/mcp/wire/state/state.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

it('a call that waits keeps what its state is bound to, and nothing of the request that began it', {
  timeout: 120_000,
}, async () => {
  const kept: StateBinding[] = [];
  const home: CallHome<Result> = {
    *open(_call, _brought, binding) {
      kept.push(binding);
      return { resultType: 'input_required' };
    },
    abandon: () => [],
  };
  const request = await served(home);
  const [binding] = kept;
  expect(binding).toMatchObject({ principal: 'p', method: 'tools/call', name: 'ask' });
  const { digest } = binding as StateBinding;
  expect(digest).toMatch(/^[\w-]{43}$/);
  expect(binding?.digest).toBe(digest);
  const deadline = Date.now() + 60_000;
  do {
    // A look keeps it for the rest of its turn: collecting has one of its own.
    await delay(1);
    collect();
    await delay(1);
  } while (request.deref() && Date.now() < deadline);
  expect(request.deref()).toBeUndefined();
  expect(kept).toHaveLength(1);
});

/** Serves one request, which nobody here holds from then on. */
async function served(home: CallHome<Result>): Promise<WeakRef<object>> {
  const callable = { method: 'tools/call', name: 'ask', given: { text: 'hi' } };
  const call = { principal: 'p', callable };
  // Of a call, this reads what is here before it is open.
  await run(() => serveLeg(home, call as unknown as RequestedCall, { state: undefined, responses: {} }));
  return new WeakRef(call);
}
