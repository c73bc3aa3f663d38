import type { Operation } from 'effection';
import { acceptsOf } from '../../../core/tool/tool-checks.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { useSubscription } from '../../bridge.ts';
import { hasEnded, isAsking } from '../../calls/call-entry.ts';
import type { CallList } from '../../calls/call-list.ts';
import type { CallHistory } from '../../calls/history/call-history.ts';
import { useEdge } from '../../contexts.ts';
import type { ContextKeyId, ContextKeys } from '../../ids.ts';
import type { ServerBook } from '../../servers/server-book.ts';
import { setContextKey } from '../../set-context-key.ts';

/** Keeps the context keys that `when` clauses read in step with the calls, the tools and the servers. */
export function* useContextKeys(
  calls: CallList,
  registry: ToolRegistry,
  servers: ServerBook,
  history: Pick<CallHistory, 'list' | 'subscribe'>,
): Operation<void> {
  const edge = yield* useEdge();
  const known: Partial<Record<ContextKeyId, unknown>> = {};
  const set = <Id extends ContextKeyId>(id: Id, value: ContextKeys[Id]): void => {
    if (known[id] === value) return;
    known[id] = value;
    edge.fork(`the context key ${id}`, () => setContextKey(id, value));
  };
  const update = () => {
    const all = calls.list();
    const ended = all.filter(hasEnded).length;
    set('parley.finishedCalls', ended);
    set('parley.runningCalls', all.length - ended);
    set('parley.waitingCalls', all.filter(isAsking).length);
    const shown = all.filter(({ panel }) => panel.visible);
    set('parley.shownUnended', shown.filter((entry) => !hasEnded(entry)).length);
    set('parley.shownStarted', shown.filter((entry) => entry.record()).length);
    set('parley.knownServers', servers.rows().length);
    set('parley.keptCalls', history.list().length);
  };
  update();
  yield* useSubscription(() => calls.subscribe(update));
  const count = () => {
    const accepted = registry.list().flatMap(({ tool }) => acceptsOf(tool.def.editor));
    for (const kind of ['selection', 'file', 'folder'] as const) {
      set(`parley.${kind}Tools`, accepted.filter((one) => one === kind).length);
    }
    const own = registry.list().filter(({ source }) => source.kind === 'workspace');
    set('parley.ownTools', own.length + registry.problems().length);
  };
  count();
  yield* useSubscription(() => registry.subscribe(count));
  yield* useSubscription(() => servers.subscribe(update));
  yield* useSubscription(() => history.subscribe(update));
}
