import { type Operation, until, useScope } from 'effection';
import { transform } from 'esbuild';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { createWorkerRealm } from '#src/isolation/host-side/realms/worker-realm.ts';
import type { RealmMaker } from '#src/isolation/host-side/tool-home.ts';
import { DEFAULT_WATCH_LIMITS, type WatchLimits } from '#src/isolation/host-side/watch.ts';
import { serveRealm } from '#src/isolation/tool-side/served-realm.ts';
import { launchWorker } from '#src/isolation/transport/worker-link.ts';
import { exportedTools } from '#src/workspace/load/exported-tools.ts';
import { createHostRealm } from '#src/workspace/load/host-realm.ts';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';
import type { LoadedFile, RealmInput, RealmOptions, ToolRealm } from '#src/workspace/load/tool-realm.ts';
import { createLinkedEnds } from './linked-ends.ts';
import { workerEntry } from './worker-entry.ts';

/** Where the code of a tool runs. */
export type Place = 'host' | 'linked' | 'worker';

/** What a test of remote tools looks at. */
export interface RemoteKit {
  readonly realm: ToolRealm;
  readonly maker: RealmMaker;
  readonly options: RealmOptions;
  /** The module that workers run. */
  readonly entry: string | undefined;
  /** How many realms were started, and have not ended. */
  readonly alive: () => number;
  readonly started: () => number;
  readonly diagnostics: readonly string[];
  load(
    files: Readonly<Record<string, string>>,
    realm?: ToolRealm,
    /** Where the files are said to be. */
    folder?: string,
  ): Operation<ReadonlyMap<string, LoadedFile>>;
  /** The only tool of one file. */
  tool(source: string, realm?: ToolRealm): Operation<AnyTool | AnyPlugin>;
}

const options = { folder: import.meta.dirname, outDir: import.meta.dirname };

/** A realm of one of the three kinds, and tools written on the spot. */
export function* useRemoteKit(
  place: Place,
  limits: Partial<WatchLimits> = {},
  later?: Parameters<typeof createLinkedEnds>[0],
): Operation<RemoteKit> {
  const scope = yield* useScope();
  const diagnostics: string[] = [];
  const entry = place === 'worker' ? yield* until(workerEntry()) : undefined;
  let alive = 0;
  let started = 0;
  const maker: RealmMaker = {
    limits: { ...DEFAULT_WATCH_LIMITS, ...limits },
    diagnose: (message, cause) => void diagnostics.push(cause ? `${message}: ${String(cause)}` : message),
    launch(name) {
      const link = entry === undefined ? linked() : launchWorker(entry, name);
      alive += 1;
      started += 1;
      void link.ended.then(() => {
        alive -= 1;
      });
      return link;
    },
  };
  const linked = () => {
    const { session, realm } = createLinkedEnds(later);
    const served = scope.run(() => serveRealm(realm));
    void session.ended.then(() => served.halt());
    return session;
  };
  const stackMaps = createStackMaps();
  const realm =
    place === 'host' ? createHostRealm(options) : createWorkerRealm(maker, { ...options, stackMaps });
  const kit: RemoteKit = {
    realm,
    maker,
    options: { ...options, stackMaps },
    entry,
    alive: () => alive,
    started: () => started,
    diagnostics,
    *load(files, where = realm, folder = '/tools') {
      const modules: RealmInput['modules'] = new Map(
        yield* until(
          Promise.all(
            Object.entries(files).map(async ([name, source]) => {
              const { code } = await transform(source, { format: 'cjs', loader: 'ts', sourcefile: name });
              return [
                name,
                { name, code, map: '{}', version: `${hash(source)}`, source: undefined },
              ] as const;
            }),
          ),
        ),
      );
      return yield* where.load({
        modules,
        entries: new Map(Object.keys(files).map((name) => [`${folder}/${name}`, name])),
        lent: new Set(['parley-mcp', 'parley-mcp/editor', 'effection', 'zod']),
      });
    },
    *tool(source, where) {
      const [loaded] = (yield* kit.load({ 'tool.ts': source }, where)).values();
      if (loaded?.kind !== 'loaded') throw loaded?.error ?? new Error('nothing was loaded');
      const [tool] = exportedTools(loaded.exports);
      if (!tool) throw new Error('the source exports no tool');
      return tool;
    },
  };
  return kit;
}

function hash(text: string): string {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + char.charCodeAt(0)) % 2 ** 48;
  return sum.toString(36);
}

/** The source of a tool whose code is `body`: it has `params`, `ctx`, and the imports of most tools. */
export function source(body: string, { steps = '', after = '' } = {}): string {
  return `
import { createMcpTool, makePlugin, isParleyError } from 'parley-mcp';
import { all, sleep, spawn, race, ensure, suspend, until, call } from 'effection';
import * as z from 'zod';
const tool = createMcpTool('probe')
  .description('A tool of a test.')
  .parameters(z.looseObject({}))
  ${steps}
  .elicits({
    seat: z.object({ row: z.int().min(1).max(30) }),
    meal: { response: z.object({ dish: z.string() }), context: z.object({ dishes: z.array(z.string()) }) },
    day: z.object({ date: z.string().transform((text) => new Date(text)) }),
  })
  .execute(function* (params, ctx) {
    ${body}
  });
${after === '' ? 'export default tool;' : after}
`;
}
