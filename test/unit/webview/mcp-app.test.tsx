// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { APP_TOOLS, decline, type ToPage } from '#src/panel-port/index.ts';
import { createAppPort, type Followed, type Sought } from '#webview/mcp-app/app-port.ts';
import { createBridge } from '#webview/mcp-app/bridge.ts';
import { drawingMemory } from '#webview/mcp-app/drawing-memory.ts';
import { endOfResult } from '#webview/mcp-app/end-of-result.ts';
import { followCall } from '#webview/mcp-app/follow-call.ts';
import { submitByScript } from '#webview/mcp-app/submit.ts';

interface Sent {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

/** A host that keeps what its page says, and answers when it is told to. */
function host() {
  const sent: Sent[] = [];
  const page = new EventTarget();
  const say = (data: unknown) => page.dispatchEvent(new MessageEvent('message', { data }));
  const answer = (method: string, result: object, index = 0) => {
    const request = sent.filter((one) => one.method === method)[index];
    say({ jsonrpc: '2.0', id: request?.id, result });
  };
  return { sent, page, say, answer, window: { postMessage: (message: Sent) => void sent.push(message) } };
}

let its: ReturnType<typeof host>;
const bridgeTo = (one: ReturnType<typeof host>) => createBridge(one.window as Window, one.page);
const calls = () => its.sent.filter(({ method }) => method === 'tools/call');
const mail = (structuredContent: object) =>
  its.answer('tools/call', { structuredContent }, calls().length - 1);

beforeEach(() => {
  its = host();
});

describe('the bridge to a host', () => {
  it('shakes hands, and then says that it is there', async () => {
    const context = bridgeTo(its).initialize();
    its.answer('ui/initialize', { hostContext: { theme: 'dark' } });
    expect(await context).toEqual({ context: { theme: 'dark' }, capabilities: {} });
    expect(its.sent.map(({ method }) => method)).toEqual(['ui/initialize', 'ui/notifications/initialized']);
  });

  it('ignores what is no message of the protocol, and answers to nothing it asked', () => {
    bridgeTo(its);
    for (const data of [undefined, 'x', {}, { jsonrpc: '1.0' }, { jsonrpc: '2.0', id: 99, result: {} }])
      its.say(data);
    expect(its.sent).toEqual([]);
  });

  it('keeps what the host says until the page listens: each once, in its order', () => {
    const bridge = bridgeTo(its);
    const say = (method: string, params: unknown) => its.say({ jsonrpc: '2.0', method, params });
    say('input', 1);
    say('result', 'r');
    say('input', 2);
    const heard: unknown[] = [];
    bridge.on('input', (params) => heard.push(params));
    say('input', 3);
    bridge.on('result', (params) => heard.push(params));
    bridge.on('input', (params) => heard.push(['again', params]));
    expect(heard).toEqual([1, 2, 3, 'r']);
  });

  it('keeps no more than a host has to say', () => {
    const bridge = bridgeTo(its);
    for (let n = 0; n < 10_000; n++) its.say({ jsonrpc: '2.0', method: 'flood', params: n });
    const heard: unknown[] = [];
    bridge.on('flood', (params) => heard.push(params));
    expect(heard).toHaveLength(100);
  });

  it('answers what the host asks of it', () => {
    bridgeTo(its);
    its.say({ jsonrpc: '2.0', id: 'h1', method: 'ping' });
    expect(its.sent).toEqual([{ jsonrpc: '2.0', id: 'h1', result: {} }]);
  });

  it('fails a call with what the host or the tool says', async () => {
    const bridge = bridgeTo(its);
    const refused = bridge.callTool('x', {});
    its.say({ jsonrpc: '2.0', id: its.sent[0]?.id, error: { message: 'no such tool' } });
    await expect(refused).rejects.toThrow('no such tool');
    const failed = bridge.callTool('x', {});
    its.answer('tools/call', { isError: true, content: [{ type: 'text', text: 'it broke' }] }, 1);
    await expect(failed).rejects.toThrow('it broke');
  });
});

describe('the port of a page in a conversation', () => {
  const focus = { parley: 'parley/1', name: 'focus', body: {} };

  it('polls for the messages of its call, each once, until it has ended', async () => {
    const port = createAppPort(bridgeTo(its), 'ticket');
    const heard: ToPage[] = [];
    port.listen((message) => heard.push(message));
    const following = port.follow({ input: { from: 'AMS' } });
    expect(calls()[0]?.params).toEqual({
      name: APP_TOOLS.watch,
      arguments: { ticket: 'ticket', input: { from: 'AMS' }, after: 0 },
    });
    mail({ state: 'open', messages: [focus], at: 1 });
    await vi.waitFor(() => expect(calls()).toHaveLength(2));
    expect(calls()[1]?.params?.arguments).toMatchObject({ after: 1 });
    mail({ state: 'ended', messages: [], at: 1 });
    expect(await following).toEqual({ state: 'ended' });
    expect(heard.map(({ name }) => name)).toEqual(['focus']);
  });

  it('sends answers one after the other, also when one was lost', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const port = createAppPort(bridgeTo(its), 'ticket');
    port.post(decline({ questionId: 'a' }));
    port.post(decline({ questionId: 'b' }));
    await vi.waitFor(() => expect(calls()).toHaveLength(1));
    its.say({ jsonrpc: '2.0', id: calls()[0]?.id, error: { message: 'away' } });
    await vi.waitFor(() => expect(calls()).toHaveLength(2));
    expect(calls().map(({ params }) => params?.arguments?.messages)).toMatchObject([
      [{ name: 'decline', body: { questionId: 'a' } }],
      [{ name: 'decline', body: { questionId: 'b' } }],
    ]);
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it('knows a call that it never found, or that its server has forgotten, from one that has ended', async () => {
    const never = createAppPort(bridgeTo(its), 'ticket').follow({ input: {} });
    mail({ state: 'ended', messages: [], at: 0 });
    expect(await never).toEqual({ state: 'gone' });
    const forgotten = createAppPort(bridgeTo(its), 'ticket').follow({ input: {} });
    mail({ state: 'open', messages: [focus], at: 1 });
    await vi.waitFor(() => expect(calls()).toHaveLength(3));
    its.answer('tools/call', { isError: true, content: [] }, 2);
    expect(await forgotten).toEqual({ state: 'gone' });
  });

  it('shows nothing more of a call once it follows another', async () => {
    const port = createAppPort(bridgeTo(its), 'ticket');
    const heard: ToPage[] = [];
    port.listen((message) => heard.push(message));
    const before = port.follow({ input: {} });
    const after = port.follow({ input: {}, over: true });
    its.answer('tools/call', { structuredContent: { state: 'open', messages: [focus], at: 1 } }, 0);
    expect(await before).toEqual({ state: 'gone' });
    its.answer('tools/call', { structuredContent: { state: 'ended', messages: [], at: 0 } }, 1);
    expect(await after).toEqual({ state: 'gone' });
    expect([heard, calls().length]).toEqual([[], 2]);
  });

  it('says to the host what it could not read', async () => {
    const port = createAppPort(bridgeTo(its), 'ticket');
    port.listen(() => {});
    void port.follow({ input: {} });
    mail({ state: 'ended', messages: [{ parley: 'parley/1', name: 'no such thing', body: {} }], at: 1 });
    await vi.waitFor(() => expect(calls()).toHaveLength(2));
    expect(calls()[1]?.params?.arguments?.messages).toMatchObject([{ name: 'pageProblem' }]);
  });
});

describe('a form on a page', () => {
  it('is submitted by script alone: a host need not allow forms', () => {
    submitByScript(document);
    document.body.innerHTML =
      '<form><input name="a" required><button>Send</button><button type="button">No</button></form>';
    const form = document.querySelector('form');
    const [send, no] = document.querySelectorAll('button');
    const submitted = vi.fn((event: Event) => event.preventDefault());
    form?.addEventListener('submit', submitted);
    no?.click();
    send?.click();
    expect(submitted).not.toHaveBeenCalled();
    form?.querySelector('input')?.setAttribute('value', 'x');
    send?.click();
    expect(submitted).toHaveBeenCalledOnce();
    expect(submitted.mock.calls[0]?.[0]).toMatchObject({ type: 'submit', submitter: send });
  });
});

describe('what a page makes of its host', () => {
  const port = () => {
    const followed: Sought[] = [];
    const results: ((followed: Followed) => void)[] = [];
    return {
      followed,
      results,
      post: () => {},
      listen: () => () => {},
      memory: { get: () => undefined, set: () => {} },
      follow: (sought: Sought) => {
        followed.push(sought);
        return new Promise<Followed>((resolve) => results.push(resolve));
      },
    };
  };
  const notify = (method: string, params: object) => its.say({ jsonrpc: '2.0', method, params });

  it('finds its call by its input, once, with what the host calls the request and the call', () => {
    const its2 = port();
    const context = { toolInfo: { id: 7 }, toolCall: { toolCallId: 'call_1' } };
    followCall(bridgeTo(its), its2, { context, capabilities: {} }, () => {});
    notify('ui/notifications/tool-input', { arguments: { a: 1 } });
    notify('ui/notifications/tool-input', { arguments: { a: 2 } });
    expect(its2.followed).toEqual([{ input: { a: 1 }, request: 7, hostCall: 'call_1' }]);
  });

  it('names its call once it hears of it, where nothing else told it apart', async () => {
    const its2 = port();
    const became: string[] = [];
    followCall(bridgeTo(its), its2, { context: {}, capabilities: {} }, (next) => became.push(next));
    notify('ui/notifications/tool-input', {});
    its2.results[0]?.({ state: 'elsewhere' });
    await vi.waitFor(() => expect(became).toEqual(['open', 'elsewhere']));
    notify('ui/notifications/tool-result', { _meta: { 'parley/call': 'c1' } });
    expect(its2.followed).toEqual([{ input: {} }, { input: {}, call: 'c1' }]);
  });

  it('names its call from the beginning, where the host said which it is before it said with what it was called', () => {
    const its2 = port();
    followCall(bridgeTo(its), its2, { context: {}, capabilities: {} }, () => {});
    notify('ui/notifications/tool-result', { _meta: { 'parley/call': 'c1' } });
    notify('ui/notifications/tool-input', {});
    expect(its2.followed).toEqual([{ input: {}, call: 'c1' }]);
  });

  it('shows no call that still runs once its own has a result, and hears nothing more of what it followed before', async () => {
    const its2 = port();
    const became: string[] = [];
    followCall(bridgeTo(its), its2, { context: {}, capabilities: { message: {} } }, (next) =>
      became.push(next),
    );
    notify('ui/notifications/tool-input', {});
    notify('ui/notifications/tool-result', { content: [] });
    expect(its2.followed).toEqual([{ input: {} }, { input: {}, over: true }]);
    its2.results[0]?.({ state: 'ended', told: { content: [{ type: 'text', text: 'of another' }] } });
    its2.results[1]?.({ state: 'gone' });
    await vi.waitFor(() => expect(became).toEqual(['open', 'open', 'ended']));
    expect(its.sent).toEqual([]);
  });

  it('shows how its call ended by the result that the host shows, where the server knows nothing of it any more', async () => {
    const its2 = port();
    const ends: unknown[] = [];
    followCall(bridgeTo(its), its2, { context: {}, capabilities: {} }, (_next, end) => ends.push(end));
    notify('ui/notifications/tool-input', {});
    notify('ui/notifications/tool-result', { content: [{ type: 'text', text: 'row 7' }] });
    its2.results[1]?.({ state: 'gone' });
    const end = { kind: 'result', value: null, blocks: [{ type: 'text', text: 'row 7' }] };
    await vi.waitFor(() => expect(ends).toEqual([undefined, end, end]));
  });

  it('asks nothing more when it has been told of the end before the result comes', async () => {
    const its2 = port();
    followCall(bridgeTo(its), its2, { context: {}, capabilities: {} }, () => {});
    notify('ui/notifications/tool-input', {});
    its2.results[0]?.({ state: 'ended' });
    await vi.waitFor(() => expect(its2.results).toHaveLength(1));
    await Promise.resolve();
    notify('ui/notifications/tool-result', { content: [] });
    expect(its2.followed).toEqual([{ input: {} }]);
  });

  it('tells the model of an end that it has not been told of, in the way that the host has', async () => {
    const its2 = port();
    const capabilities = { message: {} };
    followCall(bridgeTo(its), its2, { context: {}, capabilities }, () => {});
    notify('ui/notifications/tool-input', {});
    its2.results[0]?.({ state: 'ended', told: { content: [{ type: 'text', text: 'row 7' }] } });
    await vi.waitFor(() => expect(its.sent.map(({ method }) => method)).toEqual(['ui/message']));
    expect(its.sent[0]?.params).toMatchObject({ role: 'user', content: [{}, { text: 'row 7' }] });
  });
});

describe('what a drawing of a page remembers', () => {
  const ticket = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  afterEach(() => sessionStorage.clear());

  it('is there when its host loads it again, and for no other drawing', () => {
    drawingMemory(ticket, () => sessionStorage).set({ drafts: { name: 'Ada' } });
    expect(drawingMemory(ticket, () => sessionStorage).get()).toEqual({ drafts: { name: 'Ada' } });
    expect(drawingMemory('another ticket', () => sessionStorage).get()).toBeUndefined();
    // Whoever reads it cannot answer with it.
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(ticket.slice(0, 9));
  });

  it('is kept as long as the page is loaded where its host has no place for it', () => {
    const none = () => {
      throw new Error('The document is sandboxed.');
    };
    for (const memory of [drawingMemory(ticket, none), drawingMemory(ticket)]) {
      memory.set({ drafts: {} });
      expect(memory.get()).toEqual({ drafts: {} });
    }
    expect(sessionStorage).toHaveLength(0);
  });
});

describe('an end that only the host knows', () => {
  const text = (said: string, audience?: string) => ({
    type: 'text',
    text: said,
    ...(audience === undefined ? {} : { annotations: { audience: [audience] } }),
  });

  it('is what the tool returned, without what is for the model alone', () => {
    const content = [text('for both'), text('for the person', 'user'), text('for the model', 'assistant')];
    expect(endOfResult({ content })).toEqual({ kind: 'result', value: null, blocks: content.slice(0, 2) });
  });

  it('is its data, where the text beside it says the same', () => {
    const structuredContent = { seat: '12A' };
    const content = [text(JSON.stringify(structuredContent))];
    expect(endOfResult({ content, structuredContent })).toEqual({ kind: 'result', value: structuredContent });
    const words = [text('You sit at the window.')];
    expect(endOfResult({ content: words, structuredContent })).toMatchObject({ blocks: words });
  });

  it('is what went wrong', () => {
    expect(endOfResult({ content: [text('No such row.')], isError: true })).toEqual({
      kind: 'error',
      error: { name: 'Error', message: 'No such row.' },
    });
    expect(endOfResult({ content: 'none', isError: true })).toMatchObject({ error: { message: '' } });
  });
});
