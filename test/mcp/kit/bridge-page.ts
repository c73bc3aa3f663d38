import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/** A page of a call, as a host gets it. */
export interface GivenApp {
  readonly html: string;
  readonly input: Record<string, unknown>;
  readonly theme: 'light' | 'dark';
  /** Tells the page of its input only once its call has been answered. */
  readonly late: boolean;
}

declare global {
  interface Window {
    /** From the test: calls a tool of the server. */
    callTool(params: unknown): Promise<never>;
    /** From the test: what a page told the conversation. */
    told(method: string, params: unknown): Promise<void>;
    openApp(app: GivenApp): Promise<void>;
    /** The host's theme changes. */
    wearApp(theme: GivenApp['theme']): void;
    endApp(result: unknown): Promise<void>;
  }
}

/** What hosts allow a page: what stands in it, and no network. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'none'";

let bridge: AppBridge | undefined;
let tell: (() => Promise<void>) | undefined;

window.openApp = async ({ html, input, theme, late }) => {
  document.body.replaceChildren();
  document.documentElement.style.colorScheme = theme;
  const frame = document.createElement('iframe');
  frame.title = 'App';
  frame.sandbox.add('allow-scripts');
  frame.style.cssText = 'width: 250px; height: 100px; border: 0';
  document.body.append(frame);
  const target = frame.contentWindow as Window;
  const made = new AppBridge(
    null,
    { name: 'bridge', version: '1' },
    { serverTools: {}, updateModelContext: { text: {} }, message: { text: {} } },
    { hostContext: { theme, displayMode: 'inline' } },
  );
  bridge = made;
  made.oncalltool = (params) => window.callTool(params);
  made.onmessage = async (params) => {
    await window.told('message', params);
    return {};
  };
  made.onupdatemodelcontext = async (params) => {
    await window.told('context', params);
    return {};
  };
  made.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`;
  };
  const initialized = new Promise<void>((resolve) => {
    made.oninitialized = () => resolve();
  });
  await made.connect(new PostMessageTransport(target, target));
  frame.srcdoc = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  );
  await initialized;
  tell = () => made.sendToolInput({ arguments: input });
  if (!late) await tell();
  else if (tell) pending = tell;
};

window.wearApp = (theme) => {
  document.documentElement.style.colorScheme = theme;
  bridge?.setHostContext({ theme, displayMode: 'inline' });
};

let pending: (() => Promise<void>) | undefined;

window.endApp = async (result) => {
  await pending?.();
  pending = undefined;
  await bridge?.sendToolResult(result as never);
};
