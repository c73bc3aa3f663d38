import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { loginFetch } from '#src/mcp/client/login/login-fetch.ts';
import { boundedFetch } from '#src/mcp/http/bounded-fetch.ts';
import { listening } from '#test/listening.ts';

/** What a login asks for a server, where each address answers as it is told. */
function asking(
  server: string,
  answers: Readonly<Record<string, Response>> = {},
  names: Readonly<Record<string, readonly string[]>> = {},
) {
  const asked: string[] = [];
  const fetch = loginFetch(
    server,
    async (input) => {
      asked.push(String(input));
      return answers[String(input)] ?? new Response('{}');
    },
    undefined,
    async (name) => names[name] ?? [],
  );
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
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b::192.168.0.1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:a00:1::1]/',
    'https://[::127.0.0.1]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[fd00:ec2::254]/',
    'https://192.0.0.192/',
    'https://168.63.129.16/',
    'https://100.100.100.200/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('is not asked elsewhere: %s', async (address) => {
    const { asked, fetch } = asking('https://tools.example.com/mcp');
    await expect(fetch(address)).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  it.each([
    ['of this machine', ['127.0.0.1']],
    ['inside', ['93.184.215.14', '10.0.0.7']],
    ['where a cloud tells its secrets', ['169.254.169.254']],
    ['inside, in the words of IPv6', ['::ffff:192.168.0.1']],
  ])('is not asked where its name is that of an address %s', async (_, addresses) => {
    const names = { 'login.example.com': addresses, 'tools.example.com': ['93.184.215.14'] };
    const { asked, fetch } = asking('https://tools.example.com/mcp', {}, names);
    await expect(fetch('https://login.example.com/token')).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  it('is asked inside by its name where the server is inside by its name, but never where a cloud tells its secrets', async () => {
    const names = {
      'tools.corp.example': ['10.0.0.2'],
      'login.corp.example': ['10.0.0.3'],
      'odd.corp.example': ['169.254.169.254'],
    };
    const { fetch } = asking('https://tools.corp.example/mcp', {}, names);
    expect((await fetch('https://login.corp.example/token')).status).toBe(200);
    await expect(fetch('https://odd.corp.example/token')).rejects.toThrow('not on the internet');
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
      for (const secret of ['169.254.169.254', '168.63.129.16', '100.100.100.200', '[fd00:ec2::254]'])
        await expect(asking(server).fetch(`https://${secret}/`)).rejects.toThrow(TypeError);
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

  it('is asked at the address that was looked at, whatever its name leads to by then', async () => {
    const port = await listening(createServer((_, res) => void res.end('{}')));
    const names: Record<string, readonly string[]> = { 'moved.localhost': ['127.0.0.1'] };
    const fetch = loginFetch(
      `http://127.0.0.1:${port}/mcp`,
      boundedFetch(),
      5_000,
      async (name) => names[name] ?? [],
    );
    expect((await fetch(`http://moved.localhost:${port}/token`)).status).toBe(200);
    const error: unknown = await fetch(`http://nowhere.localhost:${port}/token`).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ cause: { message: 'its name is not known here' } });
  });

  it.each(['nothing', 'half of its answer'])('keeps nobody waiting that answers %s', async (what) => {
    const http = createServer((_, res) => {
      if (what !== 'nothing') res.writeHead(200).write('{"half":');
    });
    const url = `http://127.0.0.1:${await listening(http)}`;
    const fetch = loginFetch(`${url}/mcp`, globalThis.fetch, 100);
    await expect(fetch(`${url}/token`).then((response) => response.json())).rejects.toThrow(/timeout/i);
  });
});
