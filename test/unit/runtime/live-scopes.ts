import { global, type Operation, type Scope } from 'effection';
import { api } from 'effection/experimental';

const live = new Set<Scope>();

global.around(api.Scope, {
  create([parent], next) {
    const created = next(parent);
    live.add(created[0]);
    return created;
  },
  *destroy([scope], next): Operation<void> {
    try {
      yield* next(scope);
    } finally {
      live.delete(scope);
    }
  },
});

/** How many scopes of Effection are alive in this process: tasks, resources and `scoped` blocks alike. */
export function liveScopes(): number {
  return live.size;
}
