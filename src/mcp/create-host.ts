import { createScope, type Scope, suspend } from 'effection';
import { toolOf } from '../core/plugin/offer.ts';
import { defined } from '../core/schema/defined.ts';
import { asPrompt, asResource } from '../core/served/served-guards.ts';
import type { Starter } from '../panel/guest-pages.ts';
import { calledName, type ToolDirectory, ToolDirectoryContext } from '../runtime/context/tool-directory.ts';
import type { SessionManager } from '../runtime/manager/manager.ts';
import { createSessionManager } from '../runtime/manager/session-manager.ts';
import { OwnPages } from './apps/own-pages.ts';
import type { CatalogOffer, Listed } from './catalog/catalog.ts';
import { createServedLists, listsByPrincipal } from './catalog/served-lists.ts';
import { checkServerOptions } from './check-options.ts';
import { InterruptedCalls } from './era-2025/interrupted-calls.ts';
import type { ServerCalls } from './era-2026/serve-call.ts';
import { SpentCalls } from './era-2026/spent-calls.ts';
import type { ServerParts } from './host.ts';
import type { McpServerOptions } from './options.ts';
import { EarlyResults } from './request/early-results.ts';
import { SentPages } from './sent-pages.ts';
import { servedCalls } from './served-calls.ts';
import { tendCalls } from './stored/tend-calls.ts';
import type { Tasks } from './tasks/port.ts';
import { ServerTasks } from './tasks/tasks.ts';
import { outsideName } from './wire/foreign-name.ts';
import { createCarriedCodec } from './wire/state/carried-state.ts';

/** What of an offer has a name that an earlier one of its kind has: clients can reach the first one only. */
function duplicates(offer: CatalogOffer, lists: 'fixed' | 'changing'): readonly string[] {
  const chosen = <T>(listed: Listed<T> | undefined): readonly T[] => {
    if (listed === undefined) return [];
    if (!('subscribe' in listed)) return lists === 'fixed' ? listed : [];
    return lists === 'changing' ? listed.list() : [];
  };
  const seen = new Set<string>();
  return [
    ...chosen(offer.tools).map((served) => `tool '${toolOf(served).name}'`),
    ...chosen(offer.prompts).map((served) => `prompt '${asPrompt(served).name}'`),
    ...chosen(offer.resources).map((served) => {
      const { info } = asResource(served).def;
      return 'uri' in info ? `resource '${info.uri}'` : `resource template '${info.uriTemplate}'`;
    }),
  ].filter((name) => seen.has(name) || !seen.add(name));
}

/** What a server runs on, once it runs. */
export interface RunningServer {
  readonly host: ServerParts;
  readonly calls: ServerCalls;
}

/** What a server runs on: started by the first who asks for it. */
export interface ServerSource {
  get(): Promise<RunningServer>;
  /** Ends every call, and waits for its cleanup. */
  close(): Promise<void>;
}

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * @param prepare puts contexts into the scope that calls run in
 * @throws `Error` for two tools, prompts or resources of one name, and where the files of pages are missing; `TypeError` for options that no server has
 */
export function createHost(options: McpServerOptions, prepare: (scope: Scope) => void): ServerSource {
  checkServerOptions(options);
  const [twice] = duplicates(options, 'fixed');
  if (twice !== undefined) throw new Error(`there is a second ${twice}: give each a name of its own`);
  const codec = options.state === 'carried' ? createCarriedCodec(options.stateKeys ?? []) : undefined;
  // A root scope: a failing request must not take its siblings, or whoever made the server, down.
  const [scope, destroy] = createScope();
  const report = options.onProblem ?? (() => {});
  const appPages = OwnPages.create(options.apps ?? {}, { starter: starterIn(scope, report), report });
  prepare(scope);
  const lists = createServedLists(scope, options, options);
  const { catalog, changes } = lists;
  const listsOf = listsByPrincipal(lists, options.personal, (offer) =>
    createServedLists(scope, offer, options),
  );
  // A tool that runs here calls the others that are served here, unless whoever made the server has said which there are.
  if (!scope.hasOwn(ToolDirectoryContext)) {
    const toolsOf = (principal: string) => listsOf(principal).catalog.tools;
    const find: ToolDirectory = (name, given, principal) =>
      given ?? toolsOf(principal).get(outsideName(name));
    scope.set(
      ToolDirectoryContext,
      Object.assign(find, {
        names: (principal: string) => toolsOf(principal).items.map((served) => calledName(toolOf(served))),
      }),
    );
  }
  const stopLooking = catalog.follow(() => {
    for (const name of duplicates(options, 'changing')) {
      options.onProblem?.(`there is a second ${name}: clients see the first one only`);
    }
  });
  let running: Promise<RunningServer> | undefined;

  async function start(): Promise<RunningServer> {
    const manager = options.manager ?? (await startManager(scope, options));
    const { name, version, title, websiteUrl, description, icons, instructions, extensions } = options;
    let tasks: Tasks | undefined;
    let early: EarlyResults | undefined;
    const host: ServerParts = {
      info: {
        name,
        version,
        ...defined({ title, websiteUrl, description, icons }),
      },
      instructions,
      extensions,
      manager,
      create: options.create ?? ((call) => manager.create(call)),
      ...lists,
      sentPages: new SentPages(),
      spans: options.spans ?? true,
      pageSize: options.pageSize ?? 200,
      askTimeout: options.askTimeout ?? HOUR,
      heartbeat: options.heartbeat ?? 15_000,
      appPages,
      get early() {
        return early;
      },
      get tasks() {
        return tasks;
      },
      for(principal) {
        const own = listsOf(principal);
        return own === lists ? host : { ...host, ...own };
      },
      report,
      run: (op) => scope.run(op),
    };
    if (options.page && appPages) early = new EarlyResults(options.page, appPages, host);
    const ttl = options.limits?.waitingTtl ?? HOUR;
    const store = typeof options.state === 'object' ? options.state : undefined;
    const calls: ServerCalls = {
      ...{ host, codec, ttl, spent: new SpentCalls() },
      interrupted: options.shown && new InterruptedCalls(options.shown, report),
      calls:
        options.calls ?? servedCalls({ manager, store, shown: options.shown, ttl, report, run: host.run }),
    };
    if (options.state !== 'carried' && options.tasks !== false) {
      const { ttl: kept = store ? DAY : ttl, pollInterval = SECOND } = options.tasks ?? {};
      tasks = new ServerTasks({ ...calls, life: store ? kept : Math.min(kept, ttl), pollInterval });
    }
    // It ends with the server.
    if (store) {
      const tending = { manager, report, calls: calls.calls, catalog: host.catalog };
      host.run(() => tendCalls(tending, store)).catch(() => {});
    }
    return { host, calls };
  }

  return {
    get() {
      running ??= start();
      return running;
    },
    async close() {
      stopLooking();
      changes.close();
      await destroy();
    },
  };
}

/** Starts what nobody awaits in a scope. */
function starterIn(scope: Scope, report: (message: string, cause?: unknown) => void): Starter {
  return {
    fork(what, operation) {
      let halted = false;
      const task = scope.run(operation);
      task.catch((cause: unknown) => {
        if (!halted) report(`${what} failed`, cause);
      });
      return {
        // Begun at once: a task's own `halt` waits until somebody awaits it, and nobody does.
        async halt() {
          halted = true;
          try {
            await task.halt();
          } catch (cause) {
            report(`${what} did not end well`, cause);
          }
        },
      };
    },
    guard:
      (what, listener) =>
      (...args) => {
        try {
          listener(...args);
        } catch (cause) {
          report(`${what} could not be taken`, cause);
        }
      },
  };
}

function startManager(scope: Scope, { limits }: McpServerOptions): Promise<SessionManager> {
  return new Promise((resolve, reject) => {
    scope
      .run(function* () {
        resolve(yield* createSessionManager(limits ? { limits } : {}));
        yield* suspend();
      })
      .catch(reject);
  });
}
