import { ready, type ToHost } from '../../src/panel-port/index.ts';
import { createViewRegistry, type ViewRegistry } from '../views/view-registry.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { memoryPart } from './memory.ts';
import { askingOf, emptyPage, type PageState, receive, sent } from './page-state.ts';
import type { Port } from './port.ts';
import { createScrollMemory, type ScrollMemory } from './scroll-memory.ts';

/** The page without its looks: state from the host, and what a person does back. */
export interface Page {
  readonly state: () => PageState;
  readonly subscribe: (listener: () => void) => () => void;
  /** For what answers nothing: stop, copy, the log. */
  readonly post: (message: ToHost) => void;
  /** For an answer to the present asking. The first one counts; `false` says that this was not it. */
  readonly answer: (message: ToHost) => boolean;
  readonly drafts: Drafts;
  readonly views: ViewRegistry;
  readonly scroll: ScrollMemory;
  /** There is no editor at the other end. */
  readonly outside: boolean;
}

/** A page that listens to `port`; `ready` goes out at once, unless it has, and whenever the page has lost step. */
export function createPage(
  port: Port,
  views: ViewRegistry = createViewRegistry(),
  first: 'ask' | 'asked' = 'ask',
): Page {
  let state = emptyPage;
  const listeners = new Set<() => void>();
  const drafts = createDrafts(port.memory);
  const call = memoryPart(port.memory, 'call');

  const become = (next: PageState): void => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const askForSnapshot = (): void => {
    const lastVersion = state.snapshot?.version;
    port.post(ready(lastVersion === undefined ? {} : { lastVersion }));
  };

  port.listen((message) => {
    const next = receive(state, message, Date.now());
    if (next === 'resync') return askForSnapshot();
    if (next.snapshot) {
      drafts.keepOnly(scopeOf(next));
      // What the editor gives back in the next window, with this panel.
      const { callId } = next.snapshot.head.call;
      if (callId !== '' && call.get() !== callId) call.set(callId);
    }
    become(next);
  });
  if (first === 'ask') askForSnapshot();

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    post: port.post,
    answer: (message) => {
      const stage = state.snapshot?.head.stage;
      const asking = stage && askingOf(stage);
      if (asking === undefined || state.pending === asking) return false;
      become(sent(state));
      port.post(message);
      return true;
    },
    drafts,
    views,
    scroll: createScrollMemory(port.memory),
    outside: port.outside ?? false,
  };
}

/** What the drafts of the present stage are kept under: the same through all attempts of a question. */
export function scopeOf(state: PageState): string {
  const stage = state.snapshot?.head.stage;
  if (stage?.kind === 'parameters') return `form ${stage.formId}`;
  return stage?.kind === 'question' ? `question ${stage.question.id}` : '';
}
