import { expect, test } from 'vitest';
import { type ShareHolding, Shares } from '#src/runtime/manager/shares.ts';

const bounds = { running: 1, waiting: 1, bytes: 1_000 };

test('nothing is kept of principals who were refused, or admitted and then refused by somebody else', () => {
  const shares = new Shares<ShareHolding>({
    total: bounds,
    share: bounds,
    own: [],
    giveWay: () => {},
    refuse: () => {},
  });
  for (let i = 0; i < 100; i++) shares.admit(`admitted ${i}`, 10);
  expect(shares.principals).toBe(0);
  const item = { principal: 'ann', bytes: 10 };
  shares.admit(item.principal, item.bytes);
  shares.begin(item);
  for (let i = 0; i < 100; i++) expect(() => shares.admit(`refused ${i}`, 10)).toThrow('calls run already');
  expect(shares.principals).toBe(1);
  shares.end(item);
  expect(shares.principals).toBe(0);
  shares.close();
});
