import { StdioClientTransport as Stdio2026 } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Abilities, client2025, client2026, http2025, http2026, stdio2025 } from './kit/clients.ts';
import { bookFlight, cli, type Served, serveHttp } from './kit/parley-serve.ts';
import { record } from './kit/recorder.ts';

const able: Abilities = { elicitation: true, sampling: true };
const call = { name: 'book_flight', arguments: { from: 'Amsterdam', destination: 'Lisbon' } };
const booked = { status: 'booked', seat: '1A', tip: 'Take the yellow tram before nine.' };

let served: Served;
beforeAll(async () => {
  served = await serveHttp([bookFlight]);
});
afterAll(async () => {
  expect(await served.stop()).toBe(0);
});

const golden = (name: string) => `golden/${name}.txt`;

describe('the tool that books a flight', () => {
  it('books over stdio for the SDK of the 2025 era', async () => {
    const client = client2025(able);
    const transport = stdio2025([bookFlight]);
    const recording = record(transport);
    await client.connect(transport);
    const result = await client.callTool({ ...call, _meta: { progressToken: 0 } });
    expect(result.structuredContent).toMatchObject(booked);
    await client.close();
    await expect(recording.text()).toMatchFileSnapshot(golden('stdio-2025'));
  });

  it('books over HTTP for the SDK of the 2025 era', async () => {
    const client = client2025(able);
    const transport = http2025(served);
    const recording = record(transport);
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const result = await client.callTool({ ...call, _meta: { progressToken: 0 } });
    expect(result.structuredContent).toMatchObject(booked);
    await client.close();
    await expect(recording.text()).toMatchFileSnapshot(golden('http-2025'));
  });

  it('books over HTTP for the SDK of the 2026 era, which is asked by what it gets back', async () => {
    const client = client2026(able);
    const transport = http2026(served);
    const recording = record(transport);
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const result = await client.callTool(call);
    expect(result.structuredContent).toMatchObject(booked);
    await client.close();
    await expect(recording.text()).toMatchFileSnapshot(golden('http-2026'));
  });

  it('books over stdio for the SDK of the 2026 era', async () => {
    const client = client2026(able);
    const transport = new Stdio2026({
      command: process.execPath,
      args: [cli, 'serve', '--stdio', bookFlight],
      stderr: 'pipe',
    });
    const recording = record(transport);
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const result = await client.callTool(call);
    expect(result.structuredContent).toMatchObject(booked);
    await client.close();
    await expect(recording.text()).toMatchFileSnapshot(golden('stdio-2026'));
  });
});

describe('a client that cannot sample', () => {
  it('gets its ticket without a tip, in the 2025 era', async () => {
    const client = client2025({ elicitation: true });
    await client.connect(http2025(served) as Parameters<typeof client.connect>[0]);
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({ status: 'booked' });
    expect(structuredContent).not.toHaveProperty('tip');
    await client.close();
  });

  it('gets its ticket without a tip, in the 2026 era', async () => {
    const client = client2026({ elicitation: true });
    await client.connect(http2026(served));
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({ status: 'booked' });
    expect(structuredContent).not.toHaveProperty('tip');
    await client.close();
  });
});

describe('a client that cannot ask its user', () => {
  it('does not see a tool that requires it, and is told why when it calls it all the same, in the 2025 era', async () => {
    const client = client2025({ sampling: true });
    await client.connect(http2025(served) as Parameters<typeof client.connect>[0]);
    expect((await client.listTools()).tools).toEqual([]);
    const result = await client.callTool(call);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('needs a client that can ask the user a question');
    await client.close();
  });

  it('is refused in the words of the protocol, in the 2026 era', async () => {
    const client = client2026({ sampling: true });
    await client.connect(http2026(served));
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool(call)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    await client.close();
  });
});
