import { dirname } from 'node:path';
import { type Operation, sleep, spawn, until } from 'effection';
import { defined } from '../core/schema/defined.ts';
import { createMcpRegistry } from '../core/served/registry.ts';
import { createSessionManager } from '../mcp/index.ts';
import { printsOf } from '../workspace/files/print-of.ts';
import type { HttpOptions } from './args.ts';
import type { Collection } from './collect.ts';
import { listOf } from './gateway/joined-lists.ts';
import type { ModuleViews } from './modules/bundle-modules.ts';
import { serve } from './serve.ts';
import { usePageViews } from './serving/page-views.ts';
import { say } from './terminal-text.ts';

/** Modules as they were loaded last. */
interface Loaded {
  readonly broken: boolean;
  readonly collection: Collection;
  readonly views: ModuleViews | undefined;
  readonly inputs: readonly string[];
}

/** How often files are looked at, milliseconds. By their state: events of a change are missed where editors put another file in their place. */
const LOOK = 300;

/**
 * Serves modules while they are written: lists and code are replaced in the running server, so clients stay connected. What is broken
 * keeps what was there before. Gives the exit code.
 */
export function* dev(
  load: () => Operation<Loaded>,
  options: HttpOptions,
  summaryOf: (collection: Collection) => string,
): Operation<number> {
  let loaded = yield* load();
  let prints = yield* until(printed(loaded));
  const { tools, prompts, resources } = loaded.collection;
  const registries = {
    tools: createMcpRegistry(listOf(tools)),
    prompts: createMcpRegistry(listOf(prompts)),
    resources: createMcpRegistry(listOf(resources)),
  };
  const viewsOf = (one: Loaded) => usePageViews({ ...one.collection, tools: registries.tools }, one.views);
  let views = yield* viewsOf(loaded);
  yield* spawn(function* () {
    for (;;) {
      yield* sleep(LOOK);
      const now = yield* until(printed(loaded));
      if ([...now].every(([path, print]) => prints.get(path) === print)) continue;
      const next = yield* load();
      // Where it could not be built it is not known what it is made of.
      loaded = { ...next, inputs: [...new Set([...next.inputs, ...(next.broken ? loaded.inputs : [])])] };
      // What changed while it was loaded is looked at again.
      prints = new Map([...(yield* until(printed(loaded))), ...now]);
      if (next.broken) {
        say('not loaded again: the tools of before are still served', undefined, 'info');
        continue;
      }
      registries.tools.set(listOf(next.collection.tools));
      registries.prompts.set(listOf(next.collection.prompts));
      registries.resources.set(listOf(next.collection.resources));
      views = yield* viewsOf(next);
      say(`loaded again: ${summaryOf(next.collection) || 'nothing to serve'}`, undefined, 'info');
    }
  });
  const manager = yield* createSessionManager(defined({ limits: options.limits?.manager }));
  manager.subscribe(({ type, session }) => {
    if (type === 'forgotten') return;
    const how = type === 'started' ? 'started' : `${session.status()}, ${Date.now() - session.startedAt} ms`;
    say(`[${session.callId}] ${session.toolName}: ${how}`, undefined, 'info');
  });
  yield* serve(registries, options, {
    manager,
    onListening: (url) =>
      say(
        `try it in a browser: npx @modelcontextprotocol/inspector --transport http --server-url ${url}`,
        undefined,
        'info',
      ),
    apps: defined({ views: async (name: string) => await views?.(name), patience: options.pageWait }),
  });
  return 0;
}

/** Of the files, and of the folders to which others may come: those of tools, and where something that is imported may be missing. */
async function printed({ inputs, broken }: Loaded): Promise<ReadonlyMap<string, string>> {
  const own = inputs.filter((file) => !/[\\/]node_modules[\\/]/.test(file));
  const folders = own
    .filter((file) => broken || /[\\/]\.parley[\\/]tools\b/.test(file))
    .map((file) => dirname(file));
  return await printsOf(new Set([...own, ...folders]));
}
