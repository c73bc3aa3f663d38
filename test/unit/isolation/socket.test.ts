import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { debugEnvironment, takeDebugEnvironment } from '#src/isolation/transport/debug-environment.ts';
import { launchProcess, type ProcessStarter } from '#src/isolation/transport/launch-process.ts';
import { Lines, LineTooLongError } from '#src/isolation/transport/lines.ts';
import { type Address, type OpenPort, openPort } from '#src/isolation/transport/open-port.ts';
import { lineOver, type SocketLine } from '#src/isolation/transport/socket-line.ts';

const ports: OpenPort[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const open of ports.splice(0)) open.close();
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function opened(): Promise<OpenPort> {
  const open = await openPort();
  ports.push(open);
  return open;
}

/** Goes to a port and says this. */
async function visit(port: number, words: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(words);
  return socket;
}

/** Returns when the other end has hung up, however it did. */
async function hungUp(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

const next = (line: Pick<SocketLine, 'listen'>) =>
  new Promise<unknown>((resolve) => line.listen((text) => resolve(text)));

describe('lines', () => {
  test('are whole, however they were cut', () => {
    const lines = new Lines();
    const said: (string | undefined)[] = [];
    for (const byte of Buffer.from('"grün"\n\n"b"\n')) {
      lines.push(Buffer.from([byte]));
      for (let line = lines.shift(20); line !== undefined; line = lines.shift(20)) said.push(line);
    }
    lines.push(Buffer.from('c\nd\nrest'));
    said.push(lines.shift(20), lines.shift(20), lines.shift(20));
    expect(said).toEqual(['"grün"', '', '"b"', 'c', 'd', undefined]);
  });

  test('that are too long are refused before they end', () => {
    const lines = new Lines();
    lines.push(Buffer.from('123'));
    expect(lines.shift(4)).toBeUndefined();
    lines.push(Buffer.from('45'));
    expect(() => lines.shift(4)).toThrow(LineTooLongError);
  });
});

describe('a port', () => {
  test('lets in who knows the token, and speaks with it', async () => {
    const open = await opened();
    const socket = await visit(open.port, `${open.token}\n"early"\n`);
    const line = await open.entered;
    expect(await next(line)).toBe('"early"');
    line.send('"welcome"');
    expect(await next(lineOver(socket))).toBe('"welcome"');
  });

  test('is closed behind the first one', async () => {
    const open = await opened();
    await visit(open.port, `${open.token}\n`);
    await open.entered;
    const second = connect(open.port, '127.0.0.1');
    const [refused] = await once(second, 'error');
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });

  test.each([
    ['a wrong token', `${'0'.repeat(64)}\n`],
    ['half of one', `${'0'.repeat(32)}\n`],
    ['endless talk', 'x'.repeat(100_000)],
    ['another protocol', 'GET / HTTP/1.1\r\n\r\n'],
  ])('hangs up on %s, and still waits for the right one', async (_name, words) => {
    const open = await opened();
    const stranger = await visit(open.port, words);
    await hungUp(stranger);
    await visit(open.port, `${open.token}\n`);
    expect(await open.entered).toBeDefined();
  });

  test('that was closed lets nobody in, and hangs up on who waits', async () => {
    const open = await opened();
    const waiting = await visit(open.port, 'half');
    open.close();
    await hungUp(waiting);
    const late = connect(open.port, '127.0.0.1');
    expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });
});

describe('a process that is launched', () => {
  /** A process that is this one: comes in, or does what else the test says. */
  function starterThat(start: (key: Address) => Promise<unknown>) {
    const { promise: gone, resolve: goAway } = Promise.withResolvers<string>();
    let stops = 0;
    const starter: ProcessStarter = {
      start: async (key) => void (await start(key)),
      gone,
      async stop() {
        stops += 1;
      },
    };
    return { starter, goAway, stops: () => stops };
  }

  test('hears what was said before it came', async () => {
    let child: SocketLine | undefined;
    const { starter } = starterThat(async ({ port, token }) => {
      child = lineOver(await visit(port, `${token}\n`));
    });
    const link = launchProcess(starter, { patience: 60_000 });
    link.send('"early"');
    const answer = next(link);
    await expect.poll(() => child).toBeDefined();
    expect(await next(child as SocketLine)).toBe('"early"');
    child?.send('"answer"');
    expect(await answer).toBe('"answer"');
    await link.terminate();
    expect(await link.ended).toEqual({ kind: 'terminated' });
    expect(await (child as SocketLine).ended).toBeUndefined();
  });

  test.each([
    ['cannot be started', () => Promise.reject(new Error('there is no debugger')), 'there is no debugger'],
    ['never comes', () => Promise.resolve(), 'no process came within 0.05 s'],
    [
      'hangs up',
      async ({ port, token }: Address) => (await visit(port, `${token}\n`)).end(),
      'its process has ended',
    ],
  ])('and %s is lost, and says so first', async (_name, start, reason) => {
    const { starter, stops } = starterThat(start);
    const lost: string[] = [];
    const link = launchProcess(starter, { patience: 50, onLost: (why) => lost.push(why) });
    expect(await link.ended).toEqual({ kind: 'lost', reason });
    expect(lost).toEqual([reason]);
    expect(stops()).toBe(1);
  });

  test('and whose debug session is stopped is lost', async () => {
    const { starter, goAway } = starterThat(({ port, token }) => visit(port, `${token}\n`));
    const link = launchProcess(starter, { patience: 60_000 });
    goAway('it was stopped');
    expect(await link.ended).toEqual({ kind: 'lost', reason: 'it was stopped' });
  });
});

describe('the environment of a process', () => {
  test('is read once', () => {
    const key = { port: 4711, token: 'abc' };
    const env: NodeJS.ProcessEnv = { OTHER: 'x', ...debugEnvironment(key) };
    expect(takeDebugEnvironment(env)).toEqual(key);
    expect(env).toEqual({ OTHER: 'x' });
    expect(() => takeDebugEnvironment(env)).toThrow('parley.debugTool');
  });

  test.each(['', '0', '65536', 'x', '1.5'])('with the port %j is refused', (port) => {
    expect(() => takeDebugEnvironment({ PARLEY_DEBUG_PORT: port, PARLEY_DEBUG_TOKEN: 'abc' })).toThrow();
  });
});
