import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { sendBytes } from '../attack/kit/raw.ts';
import { bookFlight, cli, root, type Served, served as serve, serveHttp } from './kit/parley-serve.ts';
import { ask, openSession, send } from './kit/wire.ts';

let folder: string;
let served: Served | undefined;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  await served?.stop('SIGKILL');
  served = undefined;
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function parley(...args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, ...args], { cwd: folder }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const idle = `
import { suspend } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { appendFileSync } from 'node:fs';
import * as z from 'zod';
export const idle = createMcpTool('idle').description('Waits').parameters(z.object({ log: z.string() })).elicits({})
  .execute(function* ({ log }, ctx) {
    console.log('printed by the tool');
    appendFileSync(log, 'started ');
    yield* ctx.notify('waiting');
    try { yield* suspend(); } finally { appendFileSync(log, 'ended '); }
  });
`;

const asking = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const asking = createMcpTool('asking').description('Asks').parameters(z.object({}))
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_params, ctx) { return (yield* ctx.elicit.strict('name', { message: 'Who?' })).name; });
`;

describe('parley serve --http', () => {
  it('keeps more open calls than one of many principals may have: all its callers have one token', async () => {
    served = await serveHttp(
      [await file('asking.ts', asking)],
      '--no-token',
      '--isolation',
      'host',
      '--limit',
      'share-calls=500',
    );
    const params = { name: 'asking', arguments: {} };
    const states: string[] = [];
    for (let at = 0; at < 220; at++) {
      states.push((await ask(served.url, 'tools/call', params)).result.requestState);
    }
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const again = { ...params, requestState: states[0], inputResponses };
    const { result } = await ask(served.url, 'tools/call', again);
    expect(result?.content[0].text).toBe('Ada');
  }, 120_000);

  it('keeps as many calls waiting as --limit says: the oldest gives way to more', async () => {
    const limits = ['--no-token', '--isolation', 'host', '--limit', 'waiting=2'];
    served = await serveHttp([await file('asking.ts', asking)], ...limits);
    const params = { name: 'asking', arguments: {} };
    const states: string[] = [];
    for (let at = 0; at < 3; at++) {
      states.push((await ask(served.url, 'tools/call', params)).result.requestState);
    }
    // Who gives way is settled in the turn after the third was answered: one more request is behind it.
    await ask(served.url, 'tools/list', {});
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const [oldest, , newest] = states;
    const late = await ask(served.url, 'tools/call', { ...params, requestState: oldest, inputResponses });
    expect(JSON.stringify(late)).toContain('made room');
    const { result } = await ask(served.url, 'tools/call', {
      ...params,
      requestState: newest,
      inputResponses,
    });
    expect(result?.content[0].text).toBe('Ada');
  });

  it('serves lists as it is told to: in pages, searched and run beside code', async () => {
    served = await serveHttp(
      [await file('asking.ts', asking)],
      ...['--no-token', '--code', '--search-above', '0', '--page-size', '4', '--list-changed', 'off'],
    );
    const first = (await ask(served.url, 'tools/list')).result;
    const { tools } = (await ask(served.url, 'tools/list', { cursor: first.nextCursor })).result;
    const names = [...first.tools, ...tools].map(({ name }) => name);
    expect(names).toContain('run_chain');
    expect(names).toContain('execute_code');
    expect(first.tools).toHaveLength(4);
  });

  it('says in one line of JSON where it is and what its token is, and lets nobody in without', async () => {
    served = await serveHttp([bookFlight]);
    expect(served.url.hostname).toBe('127.0.0.1');
    expect(Buffer.from(served.token ?? '', 'base64url')).toHaveLength(32);
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await send(served.url, { body })).status).toBe(401);
    const authorization = `Bearer ${served.token}`;
    await openSession(served.url, {}, { authorization });
    const elsewhere = new URL('/other', served.url);
    expect((await send(elsewhere, { body, headers: { authorization } })).status).toBe(404);
  });

  it('says with PARLEY_DEBUG which requests were refused, and why', async () => {
    served = await serve([cli, 'serve', '--http', '--json', bookFlight], { PARLEY_DEBUG: '1' });
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const authorization = `Bearer ${served.token}`;
    await send(served.url, { body });
    await send(served.url, { body, headers: { authorization, origin: 'https://evil.example' } });
    await send(served.url, { body, headers: { authorization, 'mcp-session-id': 'gone' } });
    await expect.poll(() => served?.stderr()).toMatch(/ 401: .*\n.* 403: .* Origin .*\n.* 404: .*\n$/);
    expect(served.stderr()).not.toContain(served.token);
  });

  it('keeps its token in a file that only its owner can read, and does not print it', async () => {
    const token = join(folder, 'token');
    for (const flags of [[], ['--json']]) {
      const child = spawn(process.execPath, [
        cli,
        'serve',
        '--http',
        '--token-file',
        token,
        ...flags,
        bookFlight,
      ]);
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      await expect.poll(() => said).toContain('http://127.0.0.1:');
      child.kill();
      await once(child, 'close');
      expect(said).not.toContain((await readFile(token, 'utf8')).trim());
    }
    expect((await stat(token)).mode & 0o077).toBe(0);
    const first = (await readFile(token, 'utf8')).trim();
    served = await serveHttp([bookFlight], '--token-file', token);
    expect(served.token).toBe(first);
  });

  it('does not take a token from a file that others can read', async () => {
    const token = await file('token', `${'x'.repeat(32)}\n`);
    await chmod(token, 0o644);
    const refused = await parley('serve', '--http', '--token-file', token, bookFlight);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`chmod 600 ${token}`) });
    await chmod(token, 0o600);
    served = await serveHttp([bookFlight], '--token-file', token);
    expect(served.token).toBe('x'.repeat(32));
  });

  it('serves under other names and to other origins only when it is told to', async () => {
    const flags = ['--allow-host', 'tools.example.com', '--allow-origin', 'https://app.example.com'];
    served = await serveHttp([bookFlight], '--no-token', ...flags);
    const port = Number(served.url.port);
    const status = async (host: string, origin?: string) => {
      const head = `GET /mcp HTTP/1.1\r\nHost: ${host}\r\n${origin ? `Origin: ${origin}\r\n` : ''}\r\n`;
      return /^HTTP\/1\.1 (\d+)/.exec((await sendBytes(port, Buffer.from(head))).text)?.[1];
    };
    // 406: it was let in, and asked for no stream.
    expect(await status('tools.example.com:8080', 'https://app.example.com')).toBe('406');
    expect(await status('localhost')).toBe('406');
    expect(await status('other.example.com')).toBe('403');
    expect(await status('tools.example.com', 'https://other.example.com')).toBe('403');
  });

  it('takes bodies as long as it is told to, 1 MiB by default', async () => {
    const count = join(root, 'examples/workspace/.parley/tools/word-count.ts');
    const post = async (url: URL) => {
      const session = await openSession(url);
      const text = 'word '.repeat(400_000);
      return await session.request(1, 'tools/call', { name: 'word_count', arguments: { text } });
    };
    served = await serveHttp([count], '--no-token');
    expect((await post(served.url)).status).toBe(413);
    await served.stop();
    served = await serveHttp([count], '--no-token', '--max-body', '4M');
    expect((await post(served.url)).status).toBe(200);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends at once on %s, with streams open and calls cleaned up',
    async (signal) => {
      const module = await file('idle.ts', idle);
      const log = join(folder, 'log');
      served = await serveHttp([module], '--no-token');
      const session = await openSession(served.url);
      const stream = await session.get();
      const params = { name: 'idle', arguments: { log }, _meta: { progressToken: 1 } };
      const call = await session.request(1, 'tools/call', params);
      await call.until(({ method }) => method === 'notifications/progress');
      expect(await served.stop(signal)).toBe(0);
      expect(await readFile(log, 'utf8')).toBe('started ended ');
      await expect(stream.rest()).rejects.toThrow();
    },
  );
});

describe('parley serve --stdio', () => {
  it('speaks on stdout and nothing else there, and ends with its input and its calls', async () => {
    const module = await file('idle.ts', idle);
    const log = join(folder, 'log');
    const child = spawn(process.execPath, [cli, 'serve', module], { stdio: ['pipe', 'pipe', 'pipe'] });
    const exited = once(child, 'exit');
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    say({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    const methods: unknown[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line) as { id?: unknown; method?: string; error?: { code: number } };
      methods.push(message.method ?? message.error?.code ?? message.id);
      if (message.id === 0) {
        say({ method: 'notifications/initialized' });
        child.stdin.write('this is no JSON\n');
        const params = { name: 'idle', arguments: { log }, _meta: { progressToken: 1 } };
        say({ id: 1, method: 'tools/call', params });
      }
      if (message.method === 'notifications/progress') break;
    }
    expect(methods).toEqual([0, -32700, 'notifications/progress']);
    say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    child.stdin.end();
    expect((await exited)[0]).toBe(0);
    expect(await readFile(log, 'utf8')).toBe('started ended ');
  });
});

describe.each(['host', 'worker'])('what tools print with --isolation %s', (isolation) => {
  it('names the places in their files', async () => {
    const module = await file(
      'prints.ts',
      `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
interface Nothing { erased: true }

export const prints = createMcpTool('prints').description('Prints').parameters(z.object({})).elicits({})
  .execute(function* () { console.error('caught', new Error('of the tool')); return 'printed'; });
`,
    );
    served = await serveHttp([module], '--no-token', '--isolation', isolation);
    const session = await openSession(served.url);
    await (await session.request(1, 'tools/call', { name: 'prints', arguments: {} })).rest();
    await expect.poll(() => served?.stderr()).toMatch(/caught Error: of the tool\n[^\n]*prints\.ts:6:\d+/);
    expect(served.stderr()).not.toContain('parley-tool:');
  });
});

describe('whoever started a server', () => {
  const printing = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const printing = createMcpTool('printing').description('Prints').parameters(z.object({})).elicits({})
  .execute(function* () {
    for (let line = 0; line < 2_000; line++) { console.log('x'.repeat(100)); console.error('x'.repeat(100)); }
    return 'printed';
  });
`;

  it.each(['host', 'worker'])(
    'may stop reading once it has the address: with --isolation %s',
    async (isolation) => {
      const flags = ['serve', '--http', '--json', '--no-token', '--isolation', isolation];
      const child = spawn(process.execPath, [cli, ...flags, await file('printing.ts', printing)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      try {
        const [first] = (await once(child.stdout, 'data')) as [Buffer];
        const { url } = JSON.parse(String(first)) as { url: string };
        child.stdout.destroy();
        child.stderr.destroy();
        for (let calls = 0; calls < 3; calls++) {
          const { result } = await ask(new URL(url), 'tools/call', { name: 'printing', arguments: {} });
          expect(result.content).toEqual([{ type: 'text', text: 'printed' }]);
        }
        const exited = once(child, 'exit');
        child.kill();
        expect(await exited).toEqual([0, null]);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );
});

describe('parley serve --stdio, sent a line without end', () => {
  it('says so on stderr and ends with 1', async () => {
    const child = spawn(process.execPath, [cli, 'serve', bookFlight], { stdio: ['pipe', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stdin.on('error', () => {});
    child.stdout.resume();
    child.stdin.write('x'.repeat(17 * 1024 * 1024));
    expect((await closed)[0]).toBe(1);
    expect(said).toContain('parley-mcp: a line on stdin is longer than 16777216 bytes');
  });
});

const tool = (name: string) => `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const tool = createMcpTool('${name}').description('x').parameters(z.object({})).elicits({}).execute(function* () {});
`;

describe('parley check', () => {
  it('with --types has the TypeScript of the project check what its tools are a part of', async () => {
    const wrong = tool('typed').replace(
      'function* () {}',
      'function* () { const n: number = "1"; return n; }',
    );
    const path = await file('typed.ts', wrong);
    const none = await parley('check', path, '--types');
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install --save-dev typescript'),
    });
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['typescript', 'zod', 'effection', 'parley-mcp'])
      await symlink(
        name === 'parley-mcp' ? root : join(root, 'node_modules', name),
        join(folder, 'node_modules', name),
      );
    expect(await parley('check', path, '--types')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^typed\.ts\(\d+,\d+\): error TS2322: /m),
    });
    expect(await parley('check', path)).toMatchObject({ code: 0 });
    // It has the folder, and yet not its `.parley`.
    await file('tsconfig.json', '{ "compilerOptions": { "strict": true } }');
    await file('other.ts', 'export const other: number = "2";');
    await mkdir(join(folder, '.parley', 'tools'), { recursive: true });
    await file('.parley/tools/typed.ts', wrong);
    const { stdout } = await parley('check', '--types', '.');
    expect(stdout.match(/^\S+\.ts/gm)).toEqual(['.parley/tools/typed.ts']);
  });

  it('finds nothing wrong with good modules', async () => {
    expect(await parley('check', bookFlight)).toEqual({
      code: 0,
      stdout: '1 tool: nothing wrong with them\n',
      stderr: '',
    });
  });

  it('names file, line, tool, key and property of a bad definition, and goes on with the other files', async () => {
    const bad = await file(
      'bad.ts',
      `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const book = createMcpTool('book')
  .description('Books')
  .parameters(z.object({}))
  .elicits({
    pickSeat: z.object({
      nested: z.object({ row: z.int() }),
    }),
  } as never)
  .execute(function* () {});
`,
    );
    const throwing = await file('throwing.ts', 'export const x = 1;\nthrow new Error("at import");\n');
    const { code, stderr } = await parley('check', bad, throwing, 'missing.ts');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bad\.ts:8:\d+: error: .*'pickSeat' of tool 'book'.*'nested'/m);
    expect(stderr).toMatch(/^throwing\.ts:2:\d+: error: .*at import/m);
    expect(stderr).toMatch(/^missing\.ts:1:1: error: there is no such file/m);
  });

  it('takes a workspace folder for all tools in its .parley/tools, helpers and plugins among them', async () => {
    const { code, stdout, stderr } = await parley('check', join(root, 'examples/workspace'));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d+ tools: nothing wrong with them\n$/);
    expect(code).toBe(0);
    expect(await parley('check', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there are no tools in \.parley\/tools here; name files .* \S+\*\.ts$/m),
    });
  });

  it('with --state lists the tools whose calls could not go on elsewhere', async () => {
    const tools = join(root, 'test/mcp/kit/durable-tools.ts');
    const { code, stderr } = await parley('check', '--state', 'carried', tools);
    expect(stderr).toMatch(/^\S+\.ts:\d+:\d+: warning: 'plain' is neither durable nor read-only[^\n]*\n$/);
    expect(code).toBe(0);
    expect((await parley('check', tools)).stderr).toBe('');
  });

  it('names a schema that refuses to clients what it takes itself, at its tool', async () => {
    const output = 'z.object({})).output(z.object({ code: z.string().meta({ maxLength: 2 }) })';
    const { code, stderr } = await parley(
      'check',
      await file('code.ts', tool('code').replace('z.object({})', output)),
    );
    expect(stderr).toMatch(
      /^code\.ts:\d+:\d+: warning: 'code': what clients read of its output refuses [^\n]+\n$/,
    );
    expect(code).toBe(0);
  });

  it('leaves out tests, which a glob of tools catches as well', async () => {
    const test = await file('book.test.ts', "import { runTool } from 'parley-mcp/testing';\n");
    const { code, stdout, stderr } = await parley('check', bookFlight, test);
    expect(stderr).toMatch(/^book\.test\.ts:1:1: warning: a test is not a tool: it is ignored\n$/);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 tool: nothing wrong with them\n' });
  });

  it('says of two tools of one name in one file which is which, and at which line a durable tool reads the clock', async () => {
    const clock = tool('at')
      .replace('.elicits', '.durable().elicits')
      .replace('* () {}', '* () { return Date.now(); }');
    const second = tool('one').split('\n').slice(2).join('\n').replace('const tool', 'const again');
    const twice = await file('twice.ts', tool('one') + second);
    const { stderr } = await parley('check', twice);
    expect(stderr).toMatch(
      /^twice\.ts:4:\d\d+: error: .*\n {4}twice\.ts:3:\d\d+: the tool 'one' that is used$/m,
    );
    expect(await parley('check', await file('clock.ts', clock))).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^clock\.ts:\d+:\d\d+: warning: 'at' is durable and calls Date\.now\(\)/m,
      ),
    });
  });

  it('names a verb without yield*, at its line, in whichever file of the author', async () => {
    await file('ask.ts', "export function* ask(ctx) {\n  return ctx.sample({ prompt: 'x' }).text;\n}\n");
    const wipe = tool('wipe').replace(
      '* () {}',
      "* (_, ctx) { if (!confirm(ctx, 'All?')) return yield* ask(ctx); }",
    );
    const imports = "import { confirm } from 'parley-mcp';\nimport { ask } from './ask.ts';\n";
    expect(await parley('check', await file('wipe.ts', imports + wipe))).toMatchObject({
      code: 0,
      stdout: '1 tool: see the warnings\n',
      stderr: expect.stringMatching(
        /^wipe\.ts:\d+:\d+: warning: confirm\(…\) does nothing without `yield\*`: write `yield\* confirm\(…\)`$/m,
      ),
    });
    expect((await parley('check', join(folder, 'wipe.ts'))).stderr).toMatch(
      /^ask\.ts:2:10: warning: ctx\.sample\(…\)/m,
    );
  });

  it('finds two tools of one name, imports that lead nowhere, and modules without tools', async () => {
    const twice = await parley('check', await file('a.ts', tool('same')), await file('b.ts', tool('same')));
    expect(twice).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^b\.ts:\d+:\d\d+: error: the tool 'same' is defined twice[^\n]*\n {4}a\.ts:\d+:\d\d+: the tool 'same' that is used$/m,
      ),
    });
    const lost = await parley('check', await file('c.ts', "import './nowhere.ts';\n"));
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringMatching(/^c\.ts:1:\d+: error: .*nowhere/m) });
    const empty = await parley('check', await file('d.ts', 'export const x = 1;\n'));
    expect(empty).toMatchObject({
      code: 0,
      stdout: 'nothing to serve\n',
      stderr: expect.stringContaining('exports no tool'),
    });
  });

  it('names what is exported without its end, unless somebody has ended it', async () => {
    const halves = await file(
      'halves.ts',
      `import { createMcpPrompt, createMcpResource, createMcpResourceTemplate, createMcpTool } from 'parley-mcp';
       import * as z from 'zod';
       const none = z.object({});
       export const draft = createMcpTool('whole').description('d').parameters(none);
       export const whole = draft.elicits({}).execute(function* () {});
       export const half = createMcpTool('half').description('d').parameters(none).elicits({});
       export const ask = createMcpPrompt('ask').description('d').arguments(none).elicits({});
       export const note = createMcpResource('notes://a', 'd');
       export const notes = createMcpResourceTemplate('notes://{b}', 'd').completes({});\n`,
    );
    const { code, stdout, stderr } = await parley('check', halves);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(
        /warning: the export 'ask' is not a complete prompt 'ask'.*end it with \.messages\(\)$/,
      ),
      expect.stringMatching(
        /'half' is not a complete tool 'half' and is ignored: end it with \.execute\(\) or \.handoff\(\)$/,
      ),
      expect.stringMatching(/'note' is not a complete resource 'notes:\/\/a'.*\.read\(\)$/),
      expect.stringMatching(/'notes' is not a complete resource 'notes:\/\/{b}'/),
      '',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 tool: nothing wrong with them\n' });
  });

  it.skipIf(process.platform === 'win32')('takes files of any name', async () => {
    const names = ['a?b*', '#1 %20', 'line\nfeed', '"quoted"', '{a,b}', '[c]', "it's"];
    const files = await Promise.all(names.map((name, at) => file(`${name}.ts`, tool(`t${at}`))));
    const { code, stdout, stderr } = await parley('check', ...files);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining('7 tools') });
  });
});

it('parley manifest prints tools with their schemas', async () => {
  const { code, stdout } = await parley('manifest', bookFlight);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    tools: [
      {
        name: 'book_flight',
        inputSchema: { required: ['from', 'destination'] },
        outputSchema: { type: 'object' },
        elicits: { pickFlight: { properties: { flight: { type: 'string' } } }, pickSeat: {} },
      },
    ],
  });
});

it.each(
  inRings<[string[], number, string]>(
    [
      [['--help'], 0, 'parley-mcp serve'],
      [['fly'], 2, 'there is no command'],
      [['serve', '--http', '--host', 'no such host', bookFlight], 2, "has no address 'no such host'"],
      [['serve', '--state', bookFlight, bookFlight], 2, 'cannot be the folder of calls (EEXIST)'],
      [['serve', '--http', '--port', '\u001b[2J', 'x.ts'], 2, '\\x1b[2J'],
      [['serve', '--nonsense', 'x.ts'], 2, '--nonsense'],
    ],
    [
      [['serve'], 2, 'needs at least one MODULE'],
      [['serve', '--http', '--stdio', 'x.ts'], 2, 'cannot be used together'],
      [['serve', '--state', 'carried', 'x.ts'], 2, 'needs --state-key-file'],
      [['serve', '--state-key-file', 'keys', 'x.ts'], 2, 'needs --state'],
      [['serve', '--http', '--port', 'x', 'x.ts'], 2, '--port'],
      [['serve', '--http', '--port', '-1', 'x.ts'], 2, 'ambiguous. Did you forget'],
      [['serve', '--http', '--host', '0.0.0.0', '--no-token', 'x.ts'], 2, 'loopback'],
      [['serve', '--http', '--allow-host', 'http://x', 'x.ts'], 2, '--allow-host'],
      [['serve', '--http', '--allow-origin', 'x', 'x.ts'], 2, '--allow-origin'],
      [['serve', '--http', '--max-body', '5', 'x.ts'], 2, '--max-body'],
      [['serve', '--page-wait', '3s', 'x.ts'], 2, '--page-wait'],
    ],
  ),
)('understands the command line %j', async (args, code, text) => {
  const finished = await parley(...args);
  expect(finished.code).toBe(code);
  expect(finished.stdout + finished.stderr).toContain(text);
});

it.runIf(process.platform === 'linux')(
  'a folder of calls where nothing can be made is said, and not tried for ever',
  async () => {
    const { code, stderr } = await parley('serve', '--state', '/proc/calls', bookFlight);
    expect(code).toBe(2);
    expect(stderr).toContain("'/proc/calls' cannot be the folder of calls (ENOENT)");
  },
);

describe("the MCP Inspector's command line", () => {
  const inspector = join(
    root,
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );

  async function inspect(...args: readonly string[]) {
    const env = { ...process.env, HOME: folder };
    const child = spawn(process.execPath, [inspector, '--cli', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  }

  const count = join(root, 'examples/workspace/.parley/tools/word-count.ts');

  it('lists and calls tools over HTTP', async () => {
    served = await serveHttp([count]);
    const header = `Authorization: Bearer ${served.token}`;
    const listed = await inspect(served.url.href, '--header', header, '--method', 'tools/list');
    expect(listed).toMatchObject({ code: 0 });
    const { tools } = JSON.parse(listed.stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['word_count']);
    const call = ['--method', 'tools/call', '--tool-name', 'word_count', '--tool-arg', 'text=one two three'];
    const called = await inspect(served.url.href, '--header', header, ...call);
    expect(called).toMatchObject({ code: 0 });
    expect(called.stdout).toContain('3');
  });

  it('lists tools over stdio', async () => {
    const listed = await inspect(process.execPath, cli, 'serve', '--stdio', count, '--method', 'tools/list');
    expect(listed.stdout).toContain('word_count');
  });
});
