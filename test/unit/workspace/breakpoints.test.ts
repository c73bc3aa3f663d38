import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

interface Message {
  readonly method?: string;
  readonly params?: { readonly url?: string; readonly data?: { readonly url?: string } };
}

it('a module of a tool waits for a debugger that wants to set breakpoints by its source map', async () => {
  const child = fork(new URL('./debugged-module.ts', import.meta.url), { silent: true });
  const [url] = (await once(child, 'message')) as [string];
  const said: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let id = 0;
  const send = (method: string, params = {}) => socket.send(JSON.stringify({ id: ++id, method, params }));
  const { promise: paused, resolve } = Promise.withResolvers<Message>();
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.method === 'Debugger.paused') resolve(message);
  };
  send('Debugger.enable');
  send('Debugger.setInstrumentationBreakpoint', { instrumentation: 'beforeScriptWithSourceMapExecution' });
  send('Runtime.runIfWaitingForDebugger');
  expect((await paused).params?.data?.url).toContain('tool.cjs');
  expect(said.join('')).not.toContain('the code runs');
  const [exited, ran, closed] = [once(child, 'exit'), once(child, 'message'), once(socket, 'close')];
  send('Debugger.resume');
  await ran;
  // One after the other: Node crashes at times where a debugger leaves while its inspector closes.
  socket.close();
  await closed;
  child.disconnect();
  expect(await exited).toEqual([0, null]);
  expect(said.join('')).toContain('the code runs');
});
