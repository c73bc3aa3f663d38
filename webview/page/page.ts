import { goBack, pressAction, ready, type ToHost } from '../../src/panel-port/index.ts';
import { createViewRegistry, type ViewRegistry } from '../views/view-registry.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { putInto, scopeOfQuestion, unlessAnswered, unsentWith } from './keep-unsent.ts';
import { memoryPart } from './memory.ts';
import { askingOf, emptyPage, type PageState, receive, sent, withDone } from './page-state.ts';
import type { Port } from './port.ts';
import { readUnsent, type Unsent } from './unsent.ts';

/** Where the person had scrolled to, kept through hiding and reloading the panel. */
interface ScrollMemory {
  read(): number;
  write(top: number): void;
}

/** The scroll position in a panel's memory. */
function createScrollMemory(memory: Port['memory']): ScrollMemory {
  const part = memoryPart(memory, 'scroll');
  return {
    read: () => {
      const top = part.get();
      return typeof top === 'number' ? top : 0;
    },
    write: (top) => {
      if (top !== part.get()) part.set(top);
    },
  };
}

/** The page without its looks: state from the host, and what a person does back. */
export interface Page {
  readonly state: () => PageState;
  readonly subscribe: (listener: () => void) => () => void;
  /** For what answers nothing: stop, copy, the log. */
  readonly post: (message: ToHost) => void;
  /** For an answer to the present asking. The first one counts; `false` says that this was not it. */
  readonly answer: (message: ToHost) => boolean;
  readonly drafts: Drafts;
  /** Puts what was put into a question that is gone into the one that is asked. */
  readonly fillIn: (one: Unsent) => void;
  /** What was put into a question that is gone is not needed any more. */
  readonly forgetUnsent: (one: Unsent) => void;
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
  const unsent = memoryPart(port.memory, 'unsent');
  let state: PageState = { ...emptyPage, unsent: readUnsent(unsent) };
  const listeners = new Set<() => void>();
  const drafts = createDrafts(port.memory);
  const call = memoryPart(port.memory, 'call');

  const become = (next: PageState): void => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const withUnsent = (from: PageState, list: readonly Unsent[]): PageState => {
    if (list === from.unsent) return from;
    unsent.set(list.map((one) => ({ ...one })));
    return { ...from, unsent: list };
  };

  const without = (one: Unsent) =>
    withUnsent(
      state,
      state.unsent.filter((other) => other !== one),
    );

  const askForSnapshot = (): void => {
    const lastVersion = state.snapshot?.version;
    port.post(ready(lastVersion === undefined ? {} : { lastVersion }));
  };

  port.listen((message) => {
    const next = receive(state, message, Date.now());
    if (next === 'resync') return askForSnapshot();
    const { snapshot } = next;
    if (!snapshot) return become(next);
    const list = unsentWith(state, snapshot, drafts, scopeOf(next));
    // What the editor gives back in the next window, with this panel.
    const { callId } = snapshot.head.call;
    if (callId !== '' && call.get() !== callId) call.set(callId);
    become(withUnsent(unlessAnswered(state, next, snapshot, list), list));
  });
  if (first === 'ask') askForSnapshot();

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    post: (message) => {
      // A person who continues in another way knows that this question goes away.
      if (goBack.is(message) || pressAction.is(message)) become(withDone(state));
      port.post(message);
    },
    answer: (message) => {
      const stage = state.snapshot?.head.stage;
      const asking = stage && askingOf(stage);
      if (asking === undefined || state.pending === asking) return false;
      become(sent(state));
      port.post(message);
      return true;
    },
    drafts,
    fillIn(one) {
      const stage = state.snapshot?.head.stage;
      if (stage?.kind !== 'question') return;
      putInto(drafts, stage.question, one);
      const { filledIn, focusCalls } = state;
      become({ ...without(one), filledIn: filledIn + 1, focusCalls: focusCalls + 1 });
    },
    forgetUnsent: (one) => become(without(one)),
    views,
    scroll: createScrollMemory(port.memory),
    outside: port.outside ?? false,
  };
}

/** What the drafts of the present stage are kept under: the same through all attempts of a question. */
export function scopeOf(state: PageState): string {
  const stage = state.snapshot?.head.stage;
  if (stage?.kind === 'parameters') return `form ${stage.formId}`;
  return stage?.kind === 'question' ? scopeOfQuestion(stage.question.id) : '';
}
