import { expect, test } from 'vitest';
import { CallEndedError } from '#src/core/errors/call-errors.ts';
import {
  ClaimLostError,
  StoreDamagedError,
  StoreFullError,
  StoreUnavailableError,
} from '#src/core/errors/store-errors.ts';
import { storeRefusal } from '#src/mcp/stored/refusal.ts';

function refused(error: unknown) {
  const problems: string[] = [];
  const told = storeRefusal({ report: (message) => void problems.push(message) }, error);
  return { told, problems };
}

test('a store that fails is reported here, and the client is told only what it can do', () => {
  const full = refused(new StoreFullError('100'));
  expect(full.told).toMatchObject({ message: expect.stringContaining('storage limit') });
  const gone = refused(new StoreUnavailableError({ where: '/secret/calls', problem: 'it is gone' }));
  expect(gone.told).toMatchObject({
    message: expect.stringMatching(/^This server cannot save calls now: try again later$/),
  });
  expect([full.problems, gone.problems]).toEqual([
    ['a call could not be saved'],
    ['a call could not be saved'],
  ]);
});

test('what is damaged is damaged for good: the call is to be made again, and not later', () => {
  const { told, problems } = refused(
    new StoreDamagedError({ where: '/secret/calls', problem: 'lines are missing' }),
  );
  expect(told).toMatchObject({ code: -32602, message: expect.stringMatching(/make the call again/) });
  expect(told).not.toMatchObject({ message: expect.stringContaining('secret') });
  expect(problems).toEqual(['a call could not be saved']);
});

test('a call that went on elsewhere is no failure of the store, and other errors stay what they are', () => {
  const lost = refused(new ClaimLostError({ callId: 'call_1' }));
  expect(lost.told).toMatchObject({ message: expect.stringContaining('continues in another process') });
  const others = [new CallEndedError({ verb: 'elicit' }), new TypeError('a fault')];
  expect(others.map((error) => refused(error))).toEqual(others.map((told) => ({ told, problems: [] })));
  expect(lost.problems).toEqual([]);
});
