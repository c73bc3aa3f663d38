import { createScope, type Scope } from 'effection';
import { expect, it } from 'vitest';
import { callContext, captureContexts } from '#src/core/world/call-context.ts';

const First = callContext<string>('test.first');
const Second = callContext<string>('test.second', 'none');

function into(put: ReturnType<typeof captureContexts>): Scope {
  const [scope] = createScope();
  put(scope);
  return scope;
}

it('contexts are captured as they are then', () => {
  const [above] = createScope();
  const [scope] = createScope(above);
  above.set(First, 'above');
  const before = captureContexts(scope);
  scope.set(First, 'own');
  scope.set(Second, 'more');
  const changed = captureContexts(scope);
  scope.delete(First);
  scope.delete(Second);
  const less = captureContexts(scope);
  const all = [before, changed, less].map(into);
  expect(all.map((one) => one.get(First))).toEqual(['above', 'own', 'above']);
  expect(all.map((one) => one.get(Second))).toEqual(['none', 'more', 'none']);
});
