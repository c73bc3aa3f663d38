import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { LONG } from '../long.ts';
import { cli, type Served, serveHttp } from './kit/parley-serve.ts';
import { type Message, openSession, type Session2025 } from './kit/wire.ts';

let folder: string;
let served: Served | undefined;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  await served?.stop('SIGKILL');
  served = undefined;
});

/** A module with tools, given by the code of their bodies. */
async function module(name: string, bodies: Readonly<Record<string, string>>, more = ''): Promise<string> {
  const path = join(folder, name);
  const tools = Object.entries(bodies).map(
    ([
      tool,
      body,
    ]) => `export const ${tool} = createMcpTool('${tool}').description('x').parameters(z.object({}))
  .elicits({ seat: z.object({ row: z.int() }) }).execute(function* (_params, ctx) { ${body} });`,
  );
  const imports = `import { createMcpTool, createMcpPrompt, createMcpRegistry, createMcpResource, makePlugin } from 'parley-mcp';
import { suspend, sleep, until } from 'effection';
import * as z from 'zod';`;
  await writeFile(path, [imports, ...tools, more].join('\n'));
  return path;
}

const ASKS = `const a = yield* ctx.elicit('seat', { message: 'Which?' }); return 'row ' + a.content.row;`;
const good = () => module('good.ts', { asks: ASKS, echo: `return 'here';` });
const isQuestion = ({ method }: Message) => method === 'elicitation/create';
const isEnd = ({ id, result, error }: Message) => id !== undefined && (result ?? error) !== undefined;
const textOf = ({ result }: Message): string => result?.content?.[0]?.text ?? '';

/** The code of a tool that loops for ever, and leaves a file when it does. */
const looping = () =>
  `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(join(folder, 'loops'))}, ''); for (;;);`;

async function inTheLoop(): Promise<void> {
  await expect.poll(() => existsSync(join(folder, 'loops')), { timeout: 30_000 }).toBe(true);
}

async function serve(isolation: 'host' | 'worker', ...modules: readonly string[]): Promise<Session2025> {
  served = await serveHttp(modules, '--no-token', '--isolation', isolation);
  return openSession(served.url);
}

async function call(session: Session2025, id: number, name: string): Promise<Message> {
  return (await session.request(id, 'tools/call', { name, arguments: {} })).until(isEnd);
}

/** A call of another file that waits for its answer while something happens. */
async function waiting(session: Session2025) {
  const reply = await session.request(100, 'tools/call', { name: 'asks', arguments: {} });
  const question = await reply.until(isQuestion);
  return async () => {
    await session.answer(question.id ?? 0, { action: 'accept', content: { row: 7 } });
    return textOf(await reply.until(isEnd));
  };
}

describe('a tool in a worker, the default with --http', () => {
  it('is that of its own file, also where another file exports one by the same name', async () => {
    const named = async (name: string) => {
      const path = await module(`${name}.ts`, { [name]: `return 'of ${name}';` }, `export default ${name};`);
      await writeFile(path, (await readFile(path, 'utf8')).replace('export const', 'const'));
      return path;
    };
    const session = await serve('worker', await named('one'), await named('two'));
    const said = [await call(session, 1, 'one'), await call(session, 2, 'two')].map(textOf);
    expect(said).toEqual(['of one', 'of two']);
  });

  it('is one with its plugin, which is in a file that comes before its own', async () => {
    const tool = await module('tool.ts', { asks: ASKS });
    const built =
      "import { asks } from './tool.ts'; export const p = makePlugin(asks).onElicit({ seat: 'form' }).build();";
    // A third file exports both again.
    const all = await module('all.ts', {}, "export * from './plugin.ts'; export * from './tool.ts';");
    const session = await serve('worker', all, await module('plugin.ts', {}, built), tool);
    expect(await (await waiting(session))()).toBe('row 7');
  });

  it('is the tool of its plugin, also where only another file exports it', async () => {
    await module('tool.ts', { asks: ASKS });
    const built =
      "import { asks } from './tool.ts'; export const p = makePlugin(asks).onElicit({ seat: 'form' }).build();";
    const again = await module('again.ts', {}, "export { asks } from './tool.ts';");
    const session = await serve('worker', await module('plugin.ts', {}, built), again);
    expect(await (await waiting(session))()).toBe('row 7');
  });

  it('is not served where its file has prompts, which run here, and cannot be loaded here', async () => {
    const twice = `import { existsSync, writeFileSync } from 'node:fs';
export const hello = createMcpPrompt('hello').description('x').arguments(z.object({})).elicits({}).messages(function* () { return 'hi'; });
const mark = ${JSON.stringify(join(folder, 'loaded'))};
if (existsSync(mark)) throw new Error('not a second time');
writeFileSync(mark, '');`;
    const starting = serveHttp([await module('twice.ts', { gone: 'return 1;' }, twice)], '--no-token');
    await expect(starting.then((started) => (served = started))).rejects.toThrow(
      /twice\.ts.*not a second time/,
    );
  });

  it('is said to have no end where its author forgot that, under the name of its export', async () => {
    const half =
      "export const half = createMcpTool('half').description('x').parameters(z.object({})).elicits({});";
    served = await serveHttp([await module('halves.ts', { whole: 'return 1;' }, half)], '--no-token');
    expect(served.stderr()).toMatch(
      /halves\.ts.*the export 'half' is not a complete tool 'half' and is ignored: end it with \.execute\(\)/,
    );
  });

  it.each(
    inRings(
      [['calls process.exit', 'process.exit(7);', 'process.exit(7)']],
      [
        [
          'rejects a promise that nobody handles',
          `Promise.reject(new Error('lost')); yield* suspend();`,
          'lost',
        ],
        [
          'throws in a timer',
          `setTimeout(() => { throw new TypeError('late'); }); yield* suspend();`,
          'TypeError: late',
        ],
        [
          'eats the heap',
          // Pauses in between: it takes seconds, and more where others use the machine, too.
          `const eaten = []; for (;;) { eaten.push(new Array(1e6).fill(eaten.length)); yield* sleep(0); }`,
          'ended: an error that nothing caught',
        ],
      ],
    ),
  )('that %s ends the calls of its file, and no others', async (_what, body, says) => {
    const bad = await module('bad.ts', {
      bad: body,
      fine: `return 'fine again';`,
      idle: 'yield* suspend();',
    });
    served = await serveHttp([await good(), bad], '--no-token');
    const session = await openSession(served.url);
    const answer = await waiting(session);
    const neighbour = await session.request(5, 'tools/call', { name: 'idle', arguments: {} });
    const ended = await call(session, 1, 'bad');
    expect(ended.result).toMatchObject({ isError: true });
    expect(textOf(ended)).toContain(says);
    expect(textOf(await neighbour.until(isEnd))).toContain(says);
    expect(textOf(await call(session, 2, 'fine'))).toBe('fine again');
    expect(await answer()).toBe('row 7');
  });

  it('that loops lets others answer, and the server end', async () => {
    const session = await serve('worker', await good(), await module('bad.ts', { bad: 'for (;;);' }));
    const answer = await waiting(session);
    const stuck = await session.request(1, 'tools/call', { name: 'bad', arguments: {} });
    expect(textOf(await call(session, 2, 'echo'))).toBe('here');
    expect(await answer()).toBe('row 7');
    expect(await served?.stop('SIGTERM')).toBe(0);
    stuck.drop();
  });

  it('is the same tool, with and without its plugin, beside prompts, resources and registries', async () => {
    const prompt = `export const greet = createMcpPrompt('greet').description('Greets').arguments(z.object({})).elicits({}).messages(function* () { return 'hello'; });`;
    const registry = `export const more = createMcpRegistry([createMcpTool('in_registry').description('x').parameters(z.object({}))
      .elicits({}).execute(function* () { return 'from the registry'; })]);`;
    const resource = `export const page = createMcpResource('note:one', 'A note').read(function* () { return 'text of the note'; });`;
    const tool = await module('tool.ts', { asks: ASKS, plain: `return 'plain';` });
    const mixed = await module(
      'mixed.ts',
      {},
      [
        prompt,
        registry,
        resource,
        `import { asks } from './tool.ts'; export const plugin = makePlugin(asks).onElicit({ seat: 'form' }).build();`,
      ].join('\n'),
    );
    const session = await serve('worker', tool, mixed);
    expect(served?.stderr()).toBe('');
    const { result } = await (await session.request(1, 'tools/list')).until(isEnd);
    expect(result.tools.map(({ name }: { name: string }) => name).sort()).toEqual([
      'asks',
      'in_registry',
      'plain',
    ]);
    expect(textOf(await call(session, 2, 'in_registry'))).toBe('from the registry');
    expect(textOf(await call(session, 3, 'plain'))).toBe('plain');
    expect(await (await waiting(session))()).toBe('row 7');
    const prompted = await (await session.request(4, 'prompts/get', { name: 'greet' })).until(isEnd);
    expect(JSON.stringify(prompted.result)).toContain('hello');
    const read = await (await session.request(5, 'resources/read', { uri: 'note:one' })).until(isEnd);
    expect(JSON.stringify(read.result)).toContain('text of the note');
  });

  it('is told from one of another file that is exported under the same name', async () => {
    const exported = async (name: string) => {
      const path = await module(`${name}.ts`, { [name]: `return 'here is ${name}';` });
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace(`export const ${name} =`, 'export default'));
      return path;
    };
    const session = await serve('worker', await exported('first'), await exported('second'));
    expect(textOf(await call(session, 1, 'first'))).toBe('here is first');
    expect(textOf(await call(session, 2, 'second'))).toBe('here is second');
  });

  it('is described at its line when its definition is wrong', async () => {
    const bad = join(folder, 'bad.ts');
    await writeFile(bad, `export const x = 1;\nthrow new Error('at import');\n`);
    await expect(serveHttp([bad], '--no-token')).rejects.toThrow(/bad\.ts:2:\d+: error: .*at import/);
  });
});

describe('a tool in the thread of the server', () => {
  it.each([
    ['rejects a promise that nobody handles', `Promise.reject(new Error('lost'));`, 'Error: lost'],
    ['throws in a timer', `setTimeout(() => { throw new TypeError('late'); });`, 'TypeError: late'],
  ])('that %s is told of, and the server goes on', async (_what, body, says) => {
    const bad = await module('bad.ts', { bad: `${body} yield* sleep(20); return 'went on';` });
    const session = await serve('host', await good(), bad);
    const answer = await waiting(session);
    expect(textOf(await call(session, 1, 'bad'))).toBe('went on');
    expect(await answer()).toBe('row 7');
    // By another pipe than the answer, so perhaps after it.
    const told = () => expect.poll(() => served?.stderr(), { timeout: 60_000 });
    await told().toContain('The server continues');
    await told().toContain(says);
    // As it is written, not as it was built.
    await told().toMatch(/at .*bad\.ts:5:\d+/);
    expect(served?.stderr()).not.toContain('parley-modules.cjs');
  });

  it('that calls process.exit ends the server with that code', async () => {
    const session = await serve('host', await module('bad.ts', { bad: 'process.exit(7);' }));
    const exited = once(served?.child as ChildProcess, 'exit');
    await expect(call(session, 1, 'bad')).rejects.toThrow();
    expect(await exited).toEqual([7, null]);
  });

  it.each(LONG ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const) : (['SIGTERM'] as const))(
    'that loops does not keep the server from ending on %s',
    { tags: 'long' },
    async (signal) => {
      const session = await serve('host', await module('bad.ts', { bad: looping() }));
      const stuck = call(session, 1, 'bad').catch(() => 'cut off');
      await inTheLoop();
      const since = performance.now();
      expect(await served?.stop(signal)).toBe(0);
      expect(performance.now() - since).toBeLessThan(10_000);
      expect(await stuck).toBe('cut off');
    },
  );
});

describe('a tool of a server on stdio', () => {
  async function* talk(isolation: 'host' | 'worker' | undefined, bodies: Readonly<Record<string, string>>) {
    const flags = isolation ? ['--isolation', isolation] : [];
    const child = spawn(process.execPath, [cli, 'serve', ...flags, await module('tools.ts', bodies)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    say({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        yield { message: JSON.parse(line) as Message, say, child, stderr: () => stderr };
      }
    } finally {
      child.kill('SIGKILL');
    }
  }

  const PRINTS = `
    const { writeSync } = process.getBuiltinModule('node:fs');
    const { execSync, spawnSync, spawn } = process.getBuiltinModule('node:child_process');
    console.dir({ half: 1 }); console.table([1]); process.stdout.write('half a line'); writeSync(1, 'half a line');
    execSync('printf half; head -c 1', { stdio: 'inherit' });
    spawnSync('printf', ['half'], { stdio: [0, 1, 2] });
    const child = spawn('printf', ['half'], { stdio: 'inherit' });
    yield* until(new Promise((done) => child.on('exit', done)));
    console.log('printed by the tool'); return 'done';`;
  it.each(inRings<'host' | 'worker'>(['worker'], ['host']))(
    'prints to stderr, and never into the messages: %s',
    async (isolation) => {
      const bodies = { prints: PRINTS };
      for await (const { message, say, child, stderr } of talk(isolation, bodies)) {
        if (message.id === 0) say({ id: 1, method: 'tools/call', params: { name: 'prints', arguments: {} } });
        if (message.id !== 1) continue;
        expect(textOf(message)).toBe('done');
        const ended = once(child, 'close');
        child.stdin.end();
        expect((await ended)[0]).toBe(0);
        expect(stderr()).toContain('printed by the tool');
      }
    },
  );

  it('runs in the thread of the server by default, which signals end while it loops', async () => {
    for await (const { message, say, child } of talk(undefined, { bad: looping() })) {
      expect(message.id).toBe(0);
      say({ method: 'notifications/initialized' });
      say({ id: 1, method: 'tools/call', params: { name: 'bad', arguments: {} } });
      await inTheLoop();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });
});

describe('SIGUSR2', () => {
  it.each(inRings<'host' | 'worker'>(['host'], ['worker']))(
    'makes a server with tools in a %s say what it holds',
    async (isolation) => {
      const session = await serve(isolation, await good());
      const asking = await session.request(7, 'tools/call', { name: 'asks', arguments: {} });
      await asking.until(isQuestion);
      served?.child.kill('SIGUSR2');
      const told = () => expect.poll(() => served?.stderr(), { timeout: 60_000 });
      await told().toContain('calls: 1, principals: 1');
      await told().toContain('anonymous: 1 awaiting_elicit');
    },
  );
});
