import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createQueue, createSignal, ensure, type Operation, run, scoped, sleep, until } from 'effection';
import { build } from 'esbuild';
import { bundles } from '#build/bundles.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { useSwitchingRealm } from '#src/isolation/host-side/realms/switching-realm.ts';
import { useWorkers } from '#src/isolation/host-side/realms/use-workers.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { useEsbuild } from '#src/workspace/bundler/esbuild-service.ts';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';
import type { UseRealm } from '#src/workspace/load/tool-realm.ts';
import { type LoadReport, useWorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';
import { median } from './measure.ts';
import { apartRow, limitRow, type Row, ratioRow, spread } from './report.ts';

const ESBUILD_DIR = join(import.meta.dirname, '../../node_modules/esbuild-wasm');
const ROUNDS = 3;
/** As in a window that has been open for a while: a spare worker is there. */
const A_WHILE = 3_000;

/** Loading a folder against esbuild alone on the same files, with the same esbuild; a call in a worker against one here. */
export async function workspaceRows(): Promise<readonly Row[]> {
  const entry = await builtWorker();
  const rows: Row[] = [];
  for (const count of [7, 200]) rows.push(...(await loadingRows(count, entry)));
  return [...rows, ...(await callRows(entry))];
}

/** The largest ratio that is good enough, by the number of files. A save among many has its target in time. */
const TARGETS: Readonly<Record<keyof Times, Readonly<Record<number, number>>>> = {
  cold: { 200: 1.2 },
  save: { 7: 2 },
};

interface Times {
  readonly cold: number;
  readonly save: number;
}

async function loadingRows(count: number, entry: string): Promise<readonly Row[]> {
  const alone: Times[] = [];
  const host: Times[] = [];
  const worker: Times[] = [];
  // In turns, so that a machine that slows down hurts none more than another.
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await bundlerTimes(count));
    host.push(await folderTimes(count));
    worker.push(await folderTimes(count, entry));
  }
  const of = (times: readonly Times[], what: keyof Times) => times.map((time) => time[what]);
  const row = (name: string, times: readonly Times[], what: keyof Times) => {
    const [own, base] = [of(times, what), of(alone, what)];
    const job = `${count} files, ${what === 'cold' ? 'cold load' : 'a save'}`;
    return ratioRow(`${job}: ${name} against esbuild alone`, own, base, {
      target: TARGETS[what][count],
      note: `${spread(own)} ms against ${spread(base)} ms`,
    });
  };
  const ratios = (['cold', 'save'] as const).flatMap((what) => [
    row('host', host, what),
    row('worker', worker, what),
  ]);
  if (count < 200) return ratios;
  const atMost = [
    ['host', host],
    ['worker', worker],
  ] as const;
  return [
    ...ratios,
    ...atMost.map(([name, times]) =>
      limitRow(`${count} files, a save: ${name}`, of(times, 'save'), 300, 'ms'),
    ),
  ];
}

/** esbuild alone: one process, one incremental build of all files, nothing run. */
const bundlerTimes = (count: number) =>
  inFolder(count, function* (folder, save) {
    const start = performance.now();
    const service = yield* useEsbuild({ dir: ESBUILD_DIR });
    const context = yield* until(
      service.api().context({
        absWorkingDir: folder,
        entryPoints: Array.from({ length: count }, (_, index) => fileOf(index)),
        outdir: 'out',
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'node',
        write: false,
        metafile: true,
        sourcemap: 'inline',
        sourcesContent: false,
        external: ['parley-mcp', 'zod'],
      }),
    );
    yield* until(context.rebuild());
    const cold = performance.now() - start;
    yield* save();
    yield* sleep(A_WHILE);
    const again = performance.now();
    yield* until(context.rebuild());
    const times = { cold, save: performance.now() - again };
    yield* until(context.dispose());
    return times;
  });

/** Parley: finds, builds and runs the files, and registers their tools. */
const folderTimes = (count: number, entry?: string) =>
  inFolder(count, function* (folder, save) {
    const start = performance.now();
    const service = yield* useEsbuild({ dir: ESBUILD_DIR });
    const realm = entry === undefined ? undefined : yield* workerRealm(entry);
    const registry = createToolRegistry();
    const edits = createSignal<string, never>();
    const loads = createQueue<LoadReport, never>();
    yield* useWorkspaceTools({
      folder,
      outDir: join(folder, 'views'),
      registry,
      service,
      stackMaps: createStackMaps(),
      edits,
      onLoad: (report) => loads.add(report),
      ...(realm && { useRealm: realm }),
    });
    yield* loads.next();
    const cold = performance.now() - start;
    if (registry.list().length !== count) throw new Error(`${registry.list().length} of ${count} tools`);
    yield* save();
    yield* sleep(A_WHILE);
    const again = performance.now();
    edits.send(join(folder, fileOf(SAVED)));
    yield* loads.next();
    return { cold, save: performance.now() - again };
  });

function* workerRealm(entry: string): Operation<UseRealm> {
  const workers = yield* useWorkers({ entry, diagnose: (message) => console.warn(message) });
  return useSwitchingRealm(() => 'worker', workers);
}

function inFolder<T>(
  count: number,
  body: (folder: string, save: () => Operation<void>) => Operation<T>,
): Promise<T> {
  return run(() =>
    scoped(function* () {
      const folder = yield* until(mkdtemp(join(tmpdir(), 'parley-bench-')).then((made) => realpath(made)));
      yield* ensure(() => until(rm(folder, { recursive: true, force: true })));
      for (let index = 0; index < count; index++) {
        const file = join(folder, fileOf(index));
        yield* until(mkdir(dirname(file), { recursive: true }));
        yield* until(writeFile(file, source(index, 'first')));
      }
      return yield* body(folder, () =>
        until(writeFile(join(folder, fileOf(SAVED)), source(SAVED, 'second'))),
      );
    }),
  );
}

/** The file that a save is of. */
const SAVED = 3;

const fileOf = (index: number) => `.parley/tools/group-${index % 10}/tool-${index}.ts`;

const source = (index: number, result: string) => `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const tool = createMcpTool('tool_${index}')
  .description('A tool of a bench.')
  .parameters(z.object({ text: z.string() }))
  .elicits({ colour: z.object({ colour: z.string() }) })
  .execute(function* ({ text }, ctx) {
    if (text !== 'ask') return '${result} ' + text;
    const answer = yield* ctx.elicit('colour', { message: text });
    return answer.action;
  });
`;

const scripted: Client = {
  name: 'script',
  capabilities: () => ({ elicitation: { form: true } }),
  can: (ask) => ask.kind === 'elicit',
  *elicit() {
    return { action: 'accept', content: { colour: 'blue' } };
  },
};

/** What a call costs in a worker, against one in this thread; and what a worker weighs. */
async function callRows(entry: string): Promise<readonly Row[]> {
  const [host, worker] = [await callTimes(), await callTimes(entry)];
  return [
    apartRow('an echo: worker against host', worker.echo, host.echo),
    apartRow('a question: worker against host', worker.ask, host.ask),
    limitRow('the first question of a cold file, asked and answered', [worker.first], 60, 'ms'),
    limitRow('a question in a worker costs more', [median(worker.ask) - median(host.ask)], 1, 'ms'),
    limitRow('memory of a worker', [worker.bytes / 1e6], 8, 'MB'),
    {
      what: 'memory of a worker that runs nothing',
      figure: `${((await emptyWorker()) / 1e6).toFixed(1)} MB`,
    },
  ];
}

const WORKERS = 10;

const callTimes = (entry?: string) =>
  inFolder(WORKERS, function* (folder) {
    const service = yield* useEsbuild({ dir: ESBUILD_DIR });
    const realm = entry === undefined ? undefined : yield* workerRealm(entry);
    const registry = createToolRegistry();
    const tools = yield* useWorkspaceTools({
      folder,
      outDir: join(folder, 'views'),
      registry,
      service,
      stackMaps: createStackMaps(),
      ...(realm && { useRealm: realm }),
    });
    yield* tools.loaded;
    const manager = yield* createSessionManager();
    const all = registry.list().map(({ tool }) => tool);
    const [tool] = all as [AnyTool];
    function* call(tool: AnyTool | AnyPlugin, text: string): Operation<number> {
      const start = performance.now();
      const session = yield* manager.create({ tool, params: { text } });
      yield* drive(session, scripted, 'end');
      return performance.now() - start;
    }
    yield* sleep(A_WHILE);
    const first = yield* call(tool, 'ask');
    function* many(text: string): Operation<readonly number[]> {
      const taken: number[] = [];
      for (let n = 0; n < 300; n++) taken.push(yield* call(tool, text));
      return taken;
    }
    const echo = yield* many('x');
    const ask = yield* many('ask');
    const before = process.memoryUsage().rss;
    for (const other of all.slice(1)) yield* call(other, 'x');
    return { first, echo, ask, bytes: (process.memoryUsage().rss - before) / (WORKERS - 1) };
  });

/** Bytes of a worker of Node without anything of ours, in a process that has had none: memory that is free is used again. */
async function emptyWorker(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', EMPTY]);
  return Number(stdout);
}

const EMPTY = `
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
const before = process.memoryUsage().rss;
for (let n = 0; n < ${WORKERS}; n++) {
  await once(new Worker('setInterval(() => {}, 1e6)', { eval: true, execArgv: [] }), 'online');
}
process.stdout.write(String((process.memoryUsage().rss - before) / ${WORKERS}), () => process.exit());
`;

/** The module that workers run, as it ships. */
async function builtWorker(): Promise<string> {
  const outdir = await mkdtemp(join(tmpdir(), 'parley-worker-'));
  const named = (wanted: string) => bundles({ minify: true }).find(({ name }) => name === wanted)?.options;
  const entryPoints = { 'tool-worker': 'src/isolation/tool-side/tool-worker.ts' };
  await build({ ...named('workers'), entryPoints, outdir, write: true });
  await build({ ...named('zod'), outdir: join(outdir, 'shared'), write: true });
  return join(outdir, 'tool-worker.js');
}
