import { type ChildProcess, spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Operation, run, scoped, sleep, until } from 'effection';
import { describe, expect, it } from 'vitest';
import { withInlineMap } from '#src/isolation/host-side/inline-maps.ts';
import { createDebuggedTool, originOf } from '#src/isolation/host-side/realms/debugged-tool.ts';
import { type Isolation, useSwitchingRealm } from '#src/isolation/host-side/realms/switching-realm.ts';
import { debugEnvironment } from '#src/isolation/transport/debug-environment.ts';
import { launchProcess } from '#src/isolation/transport/launch-process.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Journal } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { createLoadedFolders, type LoadedFolders } from '#src/vscode/authoring/debug/loaded-folders.ts';
import { type LoadedFolder, sharedEsbuild, useLoadedFolder } from '../workspace/workspace-fixture.ts';
import { useRemoteKit } from './remote-kit.ts';
import { debugEntry } from './worker-entry.ts';

const TIMEOUT = 60_000;

const TOOL = '.parley/tools/probe.ts';

/** A file with two tools: the second is the one that is debugged. */
const tool = (body: string, steps = '') => `import { createMcpTool } from 'parley-mcp';
import { ensure } from 'effection';
import * as z from 'zod';
import { writeFileSync } from 'node:fs';
void ensure; void writeFileSync;
const world: string[] = [];
export const first = createMcpTool('first').description('Is not it.').parameters(z.object({})).elicits({})
  .execute(function* () { return 'the wrong tool'; });
export const probe = createMcpTool('probe').description('Is debugged.')
  .parameters(z.object({ n: z.int() }))
  .limits({ timeout: 1 })${steps}
  .elicits({ seat: z.object({ row: z.int().max(30) }) })
  .execute(function* ({ n }, ctx) {
    ${body}
  });
`;

interface Rig extends LoadedFolder {
  readonly children: readonly ChildProcess[];
  readonly lost: readonly string[];
  readonly folders: LoadedFolders;
  start(params?: object): Operation<Session>;
  /** Takes a call up from its journal. */
  resume(journal: Journal): Operation<Session>;
}

/** The tool in a process of its own, as under a debugger, but without one. */
const debugging =
  (body: string, check: (rig: Rig) => Operation<void>, place: Isolation = 'host', steps = '') =>
  () =>
    run(() =>
      scoped(function* () {
        const entry = yield* until(debugEntry());
        const folders = createLoadedFolders();
        const { maker } = yield* useRemoteKit('worker');
        const useRealm = folders.watch(useSwitchingRealm(() => place, maker));
        const folder = yield* useLoadedFolder(sharedEsbuild(), { [TOOL]: tool(body, steps) }, { useRealm });
        const registered = folder.registry.get('probe');
        const origin = registered && originOf(registered.tool, folders.list());
        if (!origin) throw new Error('the tool was not found');
        const children: ChildProcess[] = [];
        const lost: string[] = [];
        const debugged = createDebuggedTool(registered.tool, origin, {
          diagnose: (message, cause) => console.error(message, cause),
          launch() {
            const { promise: gone, resolve } = Promise.withResolvers<string>();
            const host = {
              gone,
              async start(key: { port: number; token: string }) {
                const env = { ...process.env, ...debugEnvironment(key) };
                const child = spawnProcess(process.execPath, [entry], { env, stdio: 'inherit' });
                children.push(child);
                child.once('exit', () => resolve('its debug session was stopped'));
              },
              stop: async () => void children.at(-1)?.kill('SIGKILL'),
            };
            return launchProcess(host, { patience: TIMEOUT, onLost: (reason) => lost.push(reason) });
          },
        });
        const manager = yield* createSessionManager();
        yield* check({
          ...folder,
          children,
          lost,
          folders,
          start: (params = { n: 4 }) => manager.create({ tool: debugged.tool, params: params as never }),
          resume: (journal) => manager.resume({ tool: debugged.tool, journal, replay: 'strict' }),
        });
        debugged.retire();
        for (const child of children) {
          if (child.exitCode === null && child.signalCode === null) yield* until(once(child, 'exit'));
        }
      }),
    );

const client = () => createMockMcpClient({ elicitResponses: [{ action: 'accept', content: { row: 3 } }] });

describe('a tool in a process of its own', { timeout: TIMEOUT }, () => {
  it(
    'asks and is answered, without a limit of time, and its process ends with its use',
    debugging(
      `const answer = yield* ctx.elicit('seat', { message: 'Which?' });
       return { n, pid: process.pid, row: answer.action === 'accept' ? answer.content.row : 0, env: Object.keys(process.env).filter((name) => name.startsWith('PARLEY_DEBUG')) };`,
      function* ({ start, children }) {
        const end = yield* drive(yield* start(), client(), 'end');
        expect(end).toMatchObject({ value: { n: 4, row: 3, pid: children[0]?.pid, env: [] } });
        expect(children).toHaveLength(1);
      },
    ),
  );

  it(
    'is the same tool where the others run in workers',
    debugging(
      `return (yield* ctx.elicit('seat', { message: 'Which?' })).action + process.pid;`,
      function* ({ start, children }) {
        const end = yield* drive(yield* start(), client(), 'end');
        expect(end).toMatchObject({ value: `accept${children[0]?.pid}` });
      },
      'worker',
    ),
  );

  it(
    'is taken up from a journal, with the answers that it has',
    debugging(
      `const first = yield* ctx.elicit.strict('seat', { message: 'Which?' });
       const second = yield* ctx.elicit.strict('seat', { message: 'After ' + first.row + '?' });
       return [first.row, second.row];`,
      function* ({ start, resume }) {
        const session = yield* start();
        const answers = createMockMcpClient({
          elicitResponses: [1, 2].map((row) => ({ action: 'accept' as const, content: { row } })),
        });
        expect(yield* drive(session, answers, 'end')).toMatchObject({ value: [1, 2] });
        const { header, lines } = session.journal();
        const until = lines.findLastIndex(({ t }) => t === 'open') + 1;
        const again = yield* resume(
          structuredClone({ header: { ...header, callId: 'again' }, lines: lines.slice(0, until) }),
        );
        expect(again.openAsks()).toMatchObject([{ id: 'elicit-2', request: { message: 'After 1?' } }]);
        expect(yield* drive(again, client(), 'end')).toMatchObject({ value: [1, 3] });
      },
    ),
  );

  it(
    'goes back to an earlier question: its steps are taken back there, and it asks again',
    debugging(
      `const done: string[] = [];
       for (;;) {
         const { row } = yield* ctx.elicit.strict('seat', { message: 'Row ' + done.length });
         if (row === 9) return world;
         yield* ctx.step('book', () => void world.push('book ' + row), {
           undo: () => void world.push('unbook ' + row),
         });
         done.push('booked');
       }`,
      function* ({ start }) {
        const session = yield* start();
        const asked = function* (id: string) {
          while (session.openAsks()[0]?.id !== id) yield* sleep(5);
          return session.openAsks();
        };
        const answered = function* (id: string, value: number) {
          yield* asked(id);
          yield* session.respond(id, { action: 'accept', content: { row: value } });
        };
        yield* answered('elicit-1', 1);
        yield* answered('elicit-2', 2);
        yield* asked('elicit-3');
        yield* session.rewind('elicit-2');
        expect(yield* asked('elicit-4')).toMatchObject([{ request: { message: 'Row 1' } }]);
        yield* answered('elicit-4', 5);
        yield* answered('elicit-5', 9);
        expect(yield* drive(session, client(), 'end')).toMatchObject({
          value: ['book 1', 'book 2', 'unbook 2', 'book 5'],
        });
      },
      'host',
      '.durable()',
    ),
  );

  it(
    'checks its parameters there',
    debugging('return n;', function* ({ start }) {
      let failure: unknown;
      try {
        yield* start({ n: 1.5 });
      } catch (error) {
        failure = error;
      }
      expect(failure).toMatchObject({ code: 'PARAMS_INVALID' });
      expect(yield* drive(yield* start(), client(), 'end')).toMatchObject({ value: 4 });
    }),
  );

  it(
    'is halted: its cleanup runs there',
    debugging(
      `yield* ensure(() => writeFileSync(import.meta.filename + '.cleaned', 'yes'));
       yield* ctx.elicit('seat', { message: 'Which?' });`,
      function* ({ start, children, folder }) {
        const session = yield* start();
        while ((yield* session.nextEvent(session.events().at(-1)?.at ?? 0)).type !== 'elicit_request');
        yield* session.abort('enough');
        expect(yield* until(readFile(folder.file(`${TOOL}.cleaned`), 'utf8'))).toBe('yes');
        expect(session.events().at(-1)).toMatchObject({ type: 'aborted', reason: 'enough' });
        expect(children).toHaveLength(1);
      },
    ),
  );

  it(
    'that no longer answers, as at a breakpoint, is ended when its call is',
    debugging(`yield* ctx.log('info', 'up'); for (;;);`, function* ({ start, children }) {
      const session = yield* start();
      while ((yield* session.nextEvent(session.events().at(-1)?.at ?? 0)).type !== 'log');
      yield* session.abort();
      const [child] = children;
      while (child?.signalCode === null && child.exitCode === null) yield* sleep(20);
      expect(child?.signalCode).toBe('SIGKILL');
    }),
  );

  it(
    'that is stopped from outside ends its call, and says so',
    debugging(`yield* ctx.elicit('seat', { message: 'Which?' });`, function* ({ start, children, lost }) {
      const session = yield* start();
      while ((yield* session.nextEvent(session.events().at(-1)?.at ?? 0)).type !== 'elicit_request');
      children[0]?.kill('SIGKILL');
      let last = session.events().at(-1);
      while (last?.type !== 'error') last = yield* session.nextEvent(last?.at ?? 0);
      expect(last).toMatchObject({
        error: { code: 'TOOL_CRASHED', message: expect.stringContaining(lost[0] ?? '?') },
      });
    }),
  );

  it(
    'is not found once its file no longer loads',
    debugging('return n;', function* ({ registry, folder, reload, folders }) {
      const before = registry.get('probe');
      yield* folder.write({ [TOOL]: `${tool('return n;')}\nthrow new Error('broken');\n` });
      yield* reload();
      expect(registry.get('probe')?.tool).toBe(before?.tool);
      expect(originOf(before?.tool as never, folders.list())).toBeUndefined();
    }),
  );
});

describe('an inline map', () => {
  it('leads from the code to the author’s file, as a URL', () => {
    const map = JSON.stringify({ version: 3, sources: ['../tools/a b.ts'], names: [], mappings: 'AAAA' });
    const built = { name: 'a.js', code: 'run();', map, version: '1', source: undefined };
    const { code, ...rest } = withInlineMap(built, '/folder/.out');
    expect(rest).toEqual({ name: 'a.js', map, version: '1', source: undefined });
    const [, data = ''] = code.split('base64,');
    const inlined = new SourceMap(JSON.parse(Buffer.from(data, 'base64').toString('utf8')));
    const entry = inlined.findEntry(0, 0);
    const url = 'originalSource' in entry ? entry.originalSource : '';
    expect(url).toBe(pathToFileURL('/folder/tools/a b.ts').href);
    expect(fileURLToPath(url)).toBe(fileURLToPath(pathToFileURL('/folder/tools/a b.ts')));
    expect(code.startsWith('run();\n//# sourceMappingURL=')).toBe(true);
  });
});
