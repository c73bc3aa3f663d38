import { escapedHtml } from '../../panel/escaped-html.ts';
import { APP_TOOLS } from '../../panel-port/index.ts';
import { document } from './page-html.ts';

/** A call, as the tab of a process lists it. */
export interface TabPage {
  readonly id: string;
  readonly title: string;
  readonly caller: string;
  /** Where its program runs. */
  readonly folder: string;
  /** It asks now. */
  readonly open: boolean;
  readonly over: boolean;
}

/** What the opener opens: it goes to the page with a key that stands nowhere else. */
export function redirectHtml(address: string, key: string): string {
  return document(
    'Question',
    `<form method="post" action="${escapedHtml(address)}"><input type="hidden" name="key" value="${key}"><button autofocus>Continue</button></form>
<script>document.forms[0].submit()</script>`,
  );
}

/** The same for a link that was opened by hand: nothing happens before a press. */
export function enterHtml(key: string): string {
  return document(
    'Question',
    `<h1>An agent asks you something</h1>
<form method="post" action="/open"><input type="hidden" name="key" value="${escapedHtml(key)}"><button autofocus>Continue</button></form>
<p>The link works once, in the browser where you continue.</p>`,
  );
}

/** What everybody sees: how many questions there are, and no more. */
export function doorHtml(count: number): string {
  return `<h1>${count === 1 ? '1 question' : `${count} questions`}</h1>
<form method="post" action="/"><button autofocus>Open in my browser</button></form>`;
}

/** The tab: each call in a frame of its own, which reaches neither the others nor anything else. */
export function tabHtml(
  nonce: string,
  { tab, door = '' }: { readonly tab?: string; readonly door?: string },
): string {
  return document(
    'Questions',
    `<main>${door}</main>
<script nonce="${nonce}">${TAB.replace('GIVEN', JSON.stringify(tab ?? null))}</script>`,
    'shell tab',
  );
}

/** Carries the messages of the frames: the handshake of their pages, and the two tools of pages, each for its own call. */
const TAB = `
'use strict';
const given = GIVEN;
const main = document.querySelector('main');
if (given) { sessionStorage.setItem('parley', given); history.replaceState(null, '', '/'); }
const tab = sessionStorage.getItem('parley');
const frames = new Map();
const tools = { ${JSON.stringify(APP_TOOLS.watch)}: 'watch', ${JSON.stringify(APP_TOOLS.send)}: 'send' };
const ask = (path, body = {}) => fetch(path, {
  method: 'POST', headers: { 'content-type': 'application/json', 'x-parley-tab': tab }, body: JSON.stringify(body),
});
async function call(id, { name, arguments: given }) {
  const leaf = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!leaf) return { isError: true, content: [] };
  const response = await ask('/' + leaf + '/' + id, given);
  if (!response.ok) return { isError: true, content: [{ type: 'text', text: 'This question is over.' }] };
  return { content: [], structuredContent: await response.json() };
}
addEventListener('message', async ({ source, data }) => {
  const [id, { frame } = {}] = [...frames].find(([, one]) => one.frame.contentWindow === source) ?? [];
  if (!frame || typeof data !== 'object' || data === null) return;
  const post = (message) => frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const { id: of, method, params } = data;
  if (method === 'ui/initialize') {
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    post({ id: of, result: { protocolVersion: params?.protocolVersion, hostInfo: { name: 'parley', version: '1' },
      hostCapabilities: {}, hostContext: { theme } } });
  } else if (method === 'ui/notifications/initialized') {
    post({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
  } else if (method === 'tools/call') {
    try { post({ id: of, result: await call(id, params) }); }
    catch { post({ id: of, error: { code: -32000, message: 'the server cannot be reached' } }); }
  } else if (of !== undefined && method !== undefined) post({ id: of, result: {} });
});
function draw({ pages }) {
  const open = pages.filter((page) => page.open);
  // How a call has ended is on show until something else is asked.
  const shown = pages.filter((page) => !page.over || open.length === 0 && frames.has(page.id));
  for (const [id, { section }] of frames) {
    if (shown.some((page) => page.id === id)) continue;
    section.remove();
    frames.delete(id);
  }
  for (const { id, title, caller, folder } of shown) {
    if (frames.has(id)) continue;
    const section = document.createElement('section'), header = document.createElement('header'), frame = document.createElement('iframe');
    header.textContent = title + ', called by ' + caller + ' in ' + folder;
    frame.title = title;
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = '/frame/' + id;
    section.append(header, frame);
    frames.set(id, { section, frame });
    main.append(section);
  }
  const [{ caller, folder } = pages.at(-1) ?? {}] = open;
  document.title = (open.length ? '(' + open.length + ') ' : '') + (open.length === 1 ? 'Question' : 'Questions') + (caller ? ' – ' + caller + ', ' + folder : '');
}
async function follow() {
  main.textContent = '';
  for (let at = 0, failed = 0; ;) {
    try {
      const response = await ask('/list/' + at);
      if (response.status === 403) { sessionStorage.removeItem('parley'); return location.reload(); }
      const listed = await response.json();
      at = listed.at;
      failed = 0;
      draw(listed);
    } catch {
      if (++failed > 3) break;
      await new Promise((then) => setTimeout(then, 500));
    }
  }
  document.title = 'Agent ended';
  const gone = document.createElement('p');
  gone.textContent = 'The agent that asked here has ended. Nothing can be answered here any more.';
  main.prepend(gone);
}
if (tab) follow();
`;
