import 'parley:icons.css';
import '../styles/index.css';
import './app.css';
import { views } from 'parley:views';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { createPage } from '../page/page.ts';
import { readTexts } from '../parts/l10n.ts';
import { shareModules } from '../shared-modules.ts';
import { createViewRegistry } from '../views/view-registry.ts';
import { createAppPort } from './app-port.ts';
import { AppView, type FollowState, type Heard } from './app-view.tsx';
import type { HostContext } from './bridge.ts';
import { drawingMemory } from './drawing-memory.ts';
import { takeEarlyApp } from './early-app.ts';
import type { ResultEnd } from './end-of-result.ts';
import { followCall } from './follow-call.ts';
import { dress } from './host-theme.ts';
import { submitByScript } from './submit.ts';
import { toldHeight } from './told-height.ts';

z.config({ jitless: true });

shareModules();
submitByScript(document);
const container = document.getElementById('root');
if (!container) throw new Error('The page has no element with the id “root”.');
readTexts(container.dataset.texts);
const registry = createViewRegistry();
const register = (more: typeof views): void => {
  for (const [key, component] of Object.entries(more)) registry.register(key, component);
};
register(views);
// Views of a workspace's tool stand behind this script, in the same document, and hand themselves in.
Object.assign(globalThis, { parleyViews: register });

const { bridge, host } = takeEarlyApp();
const { ticket = '', editor } = container.dataset;
// In VS Code's chat the origin is that of this server's pages alone; elsewhere others may read what is written down.
const memory = drawingMemory(ticket, editor === undefined ? undefined : () => sessionStorage);
const port = createAppPort(bridge, ticket, editor === undefined, memory);
const page = createPage(port, registry, 'asked');

let following: Heard = { state: 'beginning' };
const listeners = new Set<() => void>();
const become = (state: FollowState, end?: ResultEnd): void => {
  following = { state, end };
  for (const listener of listeners) listener();
};

let context: HostContext = {};
const tellSize = (): void => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  const isAsking = document.querySelector('.stage-question') !== null;
  bridge.notify('ui/notifications/size-changed', {
    width: Math.ceil(width),
    height: toldHeight(height, isAsking, context),
  });
};

void host.then((initialized) => {
  context = initialized.context;
  dress(initialized.context, (listener) =>
    bridge.on('ui/notifications/host-context-changed', (changed) => {
      context = { ...context, ...(changed as HostContext) };
      listener(context);
      tellSize();
    }),
  );
  followCall(bridge, port, initialized, become);
});

createRoot(container).render(
  <AppView
    page={page}
    following={{
      get: () => following,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }}
  />,
);
new ResizeObserver(tellSize).observe(document.documentElement);
