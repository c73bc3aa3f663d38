// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { takeEarlyApp } from '#webview/mcp-app/early-app.ts';

interface Sent {
  readonly id?: number;
  readonly method?: string;
}

afterEach(() => {
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

it('says so where the first script did not run', () => {
  expect(() => takeEarlyApp()).toThrow('first script');
});
