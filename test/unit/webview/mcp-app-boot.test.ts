// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeEarlyApp } from '#webview/mcp-app/early-app.ts';

interface Sent {
  readonly id?: number;
  readonly method?: string;
}

afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
  vi.restoreAllMocks();
  vi.resetModules();
  Object.assign(globalThis, { parleyEarlyApp: undefined });
});

it('shakes hands before the page is there, and hands it all that the host said meanwhile', async () => {
  const sent: Sent[] = [];
  vi.spyOn(window.parent, 'postMessage').mockImplementation((message: unknown) => {
    sent.push(message as Sent);
  });
  const say = (data: object) =>
    window.dispatchEvent(new MessageEvent('message', { data: { jsonrpc: '2.0', ...data } }));
  await import('#webview/mcp-app/boot.ts');
  expect(sent).toMatchObject([{ method: 'ui/initialize' }]);
  say({ id: sent[0]?.id, result: { hostContext: { theme: 'dark' } } });
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ method: 'ui/notifications/initialized' });
  say({ method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } });

  const { bridge, host } = takeEarlyApp();
  expect(await host).toMatchObject({ context: { theme: 'dark' } });
  const heard: unknown[] = [];
  bridge.on('ui/notifications/tool-input', (params) => heard.push(params));
  expect(heard).toEqual([{ arguments: { a: 1 } }]);
});

describe('what the document holds as text', () => {
  const HELD =
    '<style type="text/plain">p{}</style><script type="text/plain">one()</script><script type="text/plain">two()</script>';
  const running = () =>
    Array.from(document.querySelectorAll('script:not([type])'), ({ textContent }) => textContent);
  const read = () => dispatchEvent(new Event('DOMContentLoaded'));

  it('run in their order once the host has answered and all of the document is there', async () => {
    let id: number | undefined;
    vi.spyOn(window.parent, 'postMessage').mockImplementation((message: unknown) => {
      id ??= (message as Sent).id;
    });
    await import('#webview/mcp-app/boot.ts');
    window.dispatchEvent(new MessageEvent('message', { data: { jsonrpc: '2.0', id, result: {} } }));
    await takeEarlyApp().host;
    document.body.innerHTML = HELD;
    expect(running()).toEqual([]);
    read();
    await vi.waitFor(() => expect(running()).toEqual(['one()', 'two()']));
    expect(document.querySelector('style:not([type])')?.textContent).toBe('p{}');
  });

  it('run without an answer, a moment later', async () => {
    vi.useFakeTimers();
    vi.spyOn(window.parent, 'postMessage').mockImplementation(() => {});
    document.body.innerHTML = HELD;
    await import('#webview/mcp-app/boot.ts');
    read();
    await vi.advanceTimersByTimeAsync(299);
    expect(running()).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(running()).toEqual(['one()', 'two()']);
  });
});

it('says so where the first script did not run', () => {
  expect(() => takeEarlyApp()).toThrow('first script');
});
