import '@vscode/codicons/dist/codicon.css';
import './styles/index.css';
import { views } from 'parley:views';
import * as z from 'zod/mini';
import { looked } from '../src/panel-port/index.ts';
import { takeEarly } from './early.ts';
import { mount } from './mount.tsx';
import { askAgain } from './page/ask-again.ts';
import { chime, onQuestion } from './page/chime.ts';
import { onLook } from './page/looked-at.ts';
import { createPage } from './page/page.ts';
import { createPort } from './page/port.ts';
import { readTexts } from './parts/l10n.ts';
import { shareModules } from './shared-modules.ts';
import { createViewRegistry } from './views/view-registry.ts';

// zod would try to compile its parsers, which the page's content security policy forbids and reports.
z.config({ jitless: true });

shareModules();
const registry = createViewRegistry();
for (const [key, component] of Object.entries(views)) registry.register(key, component);

const container = document.getElementById('root');
if (!container) throw new Error('The run panel’s document has no element with the id “root”.');
readTexts(container.dataset.texts);
const { api, take } = takeEarly();
const kept: unknown = JSON.parse(container.dataset.memory ?? 'null');
const page = createPage(createPort(api, window, take, kept), registry, 'asked');
mount(page, container);
askAgain(page);
onQuestion(page, () => {
  if (page.state().sound && !document.hasFocus()) chime();
});
onLook(window, () => page.post(looked({})));
