import { createContext, createScope, type Scope } from 'effection';
import { expect, it } from 'vitest';
import { captureContexts } from '#src/runtime/manager/captured-contexts.ts';

const First = createContext<string>('test.first');
const Second = createContext<string>('test.second');

function into(put: ReturnType<typeof captureContexts>): Scope {
  const [scope] = createScope();
  put(scope);
  return scope;
}

it('contexts are captured as they are then, once while nothing changes', () => {
  const [above] = createScope();
  const [scope] = createScope(above);
  above.set(First, 'above');
  const before = captureContexts(scope);
  expect(captureContexts(scope)).toBe(before);
  scope.set(First, 'own');
  const changed = captureContexts(scope);
  scope.set(Second, 'more');
  const more = captureContexts(scope);
  scope.delete(First);
  const less = captureContexts(scope);
  const all = [before, changed, more, less].map(into);
  expect(all.map((one) => one.get(First))).toEqual(['above', 'own', 'own', 'above']);
  expect(all.map((one) => one.get(Second))).toEqual([undefined, undefined, 'more', 'more']);
});

it('a context that has the value of another that is gone is captured as itself', () => {
  const [scope] = createScope();
  scope.set(First, 'same');
  captureContexts(scope);
  scope.delete(First);
  scope.set(Second, 'same');
  const captured = into(captureContexts(scope));
  expect([captured.get(First), captured.get(Second)]).toEqual([undefined, 'same']);
});
