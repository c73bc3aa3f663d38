import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loginFetch } from '#src/mcp/client/login/login-fetch.ts';

/** What a login asks for a server, where each address answers as it is told. */
function asking(server: string, answers: Readonly<Record<string, Response>> = {}) {
  const asked: string[] = [];
  const fetch = loginFetch(server, async (input) => {
    asked.push(String(input));
    return answers[String(input)] ?? new Response('{}');
  });
  return { asked, fetch };
}

const to = (location: string) => new Response(null, { status: 302, headers: { location } });

describe('an address that a server names for its login', () => {
  it.each([
    'https://login.example.com/token',
    'https://93.184.215.14/token',
    'https://[2606:2800:21f::1]/token',
    'https://tools.example.com:444/token',
    'https://10.example.com/token',
  ])('is asked on the internet, over https: %s', async (address) => {
    const { asked, fetch } = asking('https://tools.example.com/mcp');
    expect((await fetch(address)).status).toBe(200);
    expect(asked).toEqual([address]);
  });

  it.each([
    'http://login.example.com/token',
    'http://tools.example.com/token',
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:8443/admin',
    'https://a.localhost/',
    'https://localhost./',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://192.168.0.1/',
    'https://172.31.255.255/',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('is not asked elsewhere: %s', async (address) => {
    const { asked, fetch } = asking('https://tools.example.com/mcp');
    await expect(fetch(address)).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  it('is asked where the server itself is: on this machine, and inside', async () => {
    for (const [server, address] of [
      ['http://127.0.0.1:3000/mcp', 'http://localhost:4000/token'],
      ['https://10.0.0.2/mcp', 'https://10.0.0.3/token'],
      ['http://tools.internal/mcp', 'http://tools.internal/.well-known/oauth-protected-resource'],
    ] as const) {
      expect((await asking(server).fetch(address)).status).toBe(200);
    }
    for (const server of ['http://127.0.0.1:3000/mcp', 'https://10.0.0.2/mcp'])
      await expect(asking(server).fetch('https://169.254.169.254/')).rejects.toThrow(TypeError);
  });

  it('sends on to such addresses alone, a few times, and never what is sent to it', async () => {
    const start = 'https://login.example.com/';
    const moved = asking('https://tools.example.com/mcp', { [start]: to('/there') });
    expect((await moved.fetch(start)).status).toBe(200);
    expect(moved.asked).toEqual([start, `${start}there`]);
    const inner = asking('https://tools.example.com/mcp', { [start]: to('http://169.254.169.254/') });
    await expect(inner.fetch(start)).rejects.toThrow(TypeError);
    const circle = asking('https://tools.example.com/mcp', { [start]: to(start) });
    await expect(circle.fetch(start)).rejects.toThrow('sends on without end');
    expect(circle.asked).toHaveLength(6);
    const sent = asking('https://tools.example.com/mcp', { [start]: to('/there') });
    expect((await sent.fetch(start, { method: 'POST', body: 'secret' })).status).toBe(302);
    expect(sent.asked).toEqual([start]);
  });

  it.each(['nothing', 'half of its answer'])('keeps nobody waiting that answers %s', async (what) => {
    const http = createServer((_, res) => {
      if (what !== 'nothing') res.writeHead(200).write('{"half":');
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const fetch = loginFetch(`${url}/mcp`, globalThis.fetch, 100);
    await expect(fetch(`${url}/token`).then((response) => response.json())).rejects.toThrow(/timeout/i);
  });
});
