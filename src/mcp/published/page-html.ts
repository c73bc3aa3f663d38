import { escapedHtml } from '../../panel/escaped-html.ts';
import { APP_TOOLS } from '../../panel-port/index.ts';
import type { PublishedPage } from './published-pages.ts';

const LOOKS = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 0 auto; padding: 1rem; }
body.shell { max-width: none; padding: 0; }
header { padding: .5rem 1rem; font-size: .875rem; }
code { font-size: 1.25rem; letter-spacing: .1em; }
button { font: inherit; padding: .5rem 1.25rem; }
iframe { width: 100%; height: calc(100vh - 3rem); border: 0; }
body.tab section:not(:only-of-type) iframe { height: 70vh; }
body.tab main > :not(section) { padding: 0 1rem; }
`;

/** What a browser sees first: who asks for what, and a code to compare. Nothing has happened yet, and nothing happens by itself. */
export function welcomeHtml({ session, caller, code }: PublishedPage): string {
  const { title = session.toolName } = session.tool.def;
  return document(
    title,
    `<h1>${escapedHtml(title)}</h1>
<p>The tool <strong>${escapedHtml(session.toolName)}</strong> asks you something. It was called by ${escapedHtml(caller)}.</p>
<p>Continue only if the program that sent you here shows the same code:</p>
<p><code>${escapedHtml(code)}</code></p>
<form method="post"><button type="submit" autofocus>Continue</button></form>
<p>The link works once, in the browser where you continue.</p>`,
  );
}

/** The page around the question: it carries the messages of the page within, which itself reaches nothing. */
export function shellHtml({ session, caller, code }: PublishedPage, nonce: string): string {
  const { title = session.toolName } = session.tool.def;
  return document(
    title,
    `<header>${escapedHtml(title)}, called by ${escapedHtml(caller)}. Code: <strong>${escapedHtml(code)}</strong></header>
<iframe title="${escapedHtml(title)}" sandbox="allow-scripts" src="${location('app')}"></iframe>
<script nonce="${nonce}">${SHELL}</script>`,
    'shell',
  );
}

/** A page that says something, and offers nothing. */
export function plainHtml(title: string, text: string): string {
  return document(title, `<h1>${escapedHtml(title)}</h1><p>${escapedHtml(text)}</p>`);
}

function location(leaf: string): string {
  return `?${leaf}`;
}

/** The host of the page within, in as little as that takes: the handshake, and the two tools of pages. */
const SHELL = `
'use strict';
const frame = document.querySelector('iframe');
const post = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
const tools = { ${JSON.stringify(APP_TOOLS.watch)}: 'watch', ${JSON.stringify(APP_TOOLS.send)}: 'send' };
async function call({ name, arguments: given }) {
  const leaf = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!leaf) return { isError: true, content: [] };
  const response = await fetch('?' + leaf, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given),
  });
  if (!response.ok) return { isError: true, content: [{ type: 'text', text: 'This page has expired.' }] };
  return { content: [], structuredContent: await response.json() };
}
addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return;
  const { id, method, params } = data;
  if (method === 'ui/initialize') {
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    post({ id, result: { protocolVersion: params?.protocolVersion, hostInfo: { name: 'parley', version: '1' },
      hostCapabilities: {}, hostContext: { theme } } });
  } else if (method === 'ui/notifications/initialized') {
    post({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
  } else if (method === 'tools/call') {
    try { post({ id, result: await call(params) }); }
    catch { post({ id, error: { code: -32000, message: 'the server cannot be reached' } }); }
  } else if (id !== undefined && method !== undefined) post({ id, result: {} });
});
`;

/** A document of ours, with its looks. */
export function document(title: string, body: string, kind = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapedHtml(title)}</title>
<style>${LOOKS}</style>
</head>
<body class="${kind}">
${body}
</body>
</html>
`;
}
