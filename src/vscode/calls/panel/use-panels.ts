import { ensure, type Operation, race, sleep, suspend, type WithResolvers, withResolvers } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import { defined } from '../../../core/schema/defined.ts';
import { GuestPages } from '../../../panel/guest-pages.ts';
import { createInbox } from '../../../panel/inbox.ts';
import { initialState } from '../../../panel/model/state.ts';
import { type PageLink, usePageLink } from '../../../panel/page-link.ts';
import { createPageListener } from '../../../panel/page-listener.ts';
import { createPanelStore } from '../../../panel/panel-store.ts';
import { resolveViews } from '../../../panel/resolve-views.ts';
import { picked, type StageOf, sound, type ToPage } from '../../../panel-port/index.ts';
import { type Edge, fromThenable, type Run, useListener, useSubscription } from '../../bridge.ts';
import { useEdge, useExtension, useLeaving, useLog, usePanelKeyboard } from '../../contexts.ts';
import type { Log } from '../../log/log.ts';
import { setting } from '../../setting.ts';
import type { CallPanel, NewPanel, PanelOptions } from './call-panel.ts';
import { openNamedPlace, openPlace } from './open-place.ts';
import { pickPath } from './pick-path.ts';
import { type PanelTabs, usePanelTabs } from './tabs/panel-tabs.ts';
import { paramsOf, tabTitle, titleWith } from './tabs/tab-title.ts';
import { openBlock, takeResult } from './take-result.ts';
import { bundlesFor, type ViewBundles } from './view-bundles.ts';
import { type RunWindow, useRunWindow, type WindowColumn } from './window.ts';

/** Characters of JSON that a closed window's page leaves behind at most: a page is not trusted with more. */
const maxMemory = 1_000_000;

/** A window while it is there. */
interface Showing {
  /** Its page has been there, or never will. */
  readonly seen: WithResolvers<void>;
  window?: RunWindow;
  link?: PageLink;
  run?: Run<unknown>;
}

/** How a window is opened. */
interface Opening {
  readonly place: WindowColumn;
  readonly keyboard: boolean;
  /** One that the editor has brought back. */
  readonly revived?: vscode.WebviewPanel | undefined;
}

const IN_FRONT = { place: 'front', keyboard: true } as const;

/** Milliseconds that a call waits for its window: one that cannot be shown must not hold it up. */
const patience = 2000;

/** Makes run panels for the calls of this window. */
export function* usePanels(bundles: ViewBundles): Operation<NewPanel> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { extensionUri } = yield* useExtension();
  const leaving = yield* useLeaving();
  const tabs = yield* usePanelTabs();
  const { send: gotKeyboard } = yield* usePanelKeyboard();
  const parts = { ...bundles, edge, log, extensionUri, leaving, tabs, gotKeyboard };
  return (options) => createCallPanel(parts, options);
}

interface PanelParts extends ViewBundles {
  readonly edge: Edge;
  readonly log: Log;
  readonly extensionUri: vscode.Uri;
  /** Whether the extension ends, as a rule because its window closes. */
  leaving(): boolean;
  readonly tabs: PanelTabs;
  /** A page has the keyboard. */
  gotKeyboard(): void;
}

/** A panel without a window. */
function createCallPanel(parts: PanelParts, options: PanelOptions): CallPanel {
  const { edge, log } = parts;
  const { toolName, title, summary, description, icon, server, asker } = options;
  const store = createPanelStore(
    initialState({
      callId: '',
      toolName,
      title,
      ...defined({ summary, description, icon, server, asker }),
    }),
  );
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  let current: Showing | undefined;
  let closedByPerson = options.ofEarlierWindow ?? false;
  let { memory } = options;
  let openedInBackground = false;
  let lookedAt = false;

  const findBundle = bundlesFor(parts, () => current?.window);
  const post = (message: ToPage) => current?.window?.post(resolveViews(message, findBundle));
  const tellSound = () => post(sound({ on: setting('parley.questions.sound') }));
  const inbox = createInbox({
    post: (message) => {
      post(message);
      guests.post(message);
    },
    onDead: (message, why) =>
      log.warn(`${title}: the panel sent “${message.name}”, which had no effect. ${why}`),
  });

  /** What the page asks for is done with the result that it was shown. */
  const withResult = (take: (end: StageOf<'result'>) => Operation<void>): void => {
    const { end } = store.get();
    if (end?.kind === 'result' && !end.notKept) edge.fork('taking a result along', () => take(end));
  };
  const listenTo = (onReady: () => void, keep: (memory: JsonObject) => void) =>
    createPageListener({
      onLooked: () => {
        lookedAt = true;
        parts.gotKeyboard();
      },
      inbox,
      title,
      log,
      onReady,
      keep,
      onStop: options.onStop,
      onAction: options.onAction,
      onGoBack: options.onGoBack,
      // The page names a frame that it was shown; what may be opened is not its choice.
      onFrame: (part, frame) => {
        const { end } = store.get();
        const shown = end?.kind === 'error' ? end.error.trace?.[part]?.own[frame] : undefined;
        if (shown) edge.fork('opening a file', () => openPlace(shown.place, current?.window?.column));
      },
      onPick: (control, what) =>
        edge.fork('picking a path', function* () {
          const path = yield* pickPath(what);
          if (path !== undefined) post(picked({ control, path }));
        }),
      onPlace: (place) => edge.fork('opening a file', () => openNamedPlace(place, current?.window?.column)),
      onOpenPanel: () => show(),
      onResult: (how, as) => withResult((end) => takeResult(end, toolName, how, as)),
      onBlock: (at) => withResult((end) => openBlock(end, at)),
      copy: (text) => void edge.fork('copying', () => fromThenable(vscode.env.clipboard.writeText(text))),
    });
  const listen = listenTo(
    () => {
      tellSound();
      current?.link?.ready();
      current?.seen.resolve();
    },
    (kept) => {
      memory = JSON.stringify(kept).length <= maxMemory ? kept : undefined;
      if (memory) options.onMemory?.(memory);
    },
  );
  // What a page in a conversation remembers is its host's affair.
  const guests = new GuestPages({
    edge,
    title,
    store,
    listen: (onReady) => listenTo(onReady, () => {}),
    left: options.onClosed,
  });
  const closed = (): void => {
    const { run, seen } = current ?? {};
    current = undefined;
    seen?.resolve();
    parts.tabs.closed(panel);
    closedByPerson = true;
    changed();
    void run?.halt();
    options.onClosed();
  };

  function* keepWindow(showing: Showing, { place, keyboard, revived }: Opening): Operation<void> {
    const window = yield* useRunWindow({
      icon,
      keyboard,
      extensionUri: parts.extensionUri,
      viewRoots: [vscode.Uri.file(parts.viewsDir)],
      title: titleWith(title, undefined),
      place,
      revived,
      stays: parts.leaving,
      memory,
      onMessage: edge.guard('a message of the run panel', listen),
      onVisible: edge.guard('a run panel that was shown or hidden', (visible: boolean) => {
        if (!visible) showing.link?.hidden();
        changed();
      }),
      onClosed: edge.guard('a run panel that was closed', closed),
    });
    showing.window = window;
    showing.link = yield* usePageLink({ store, post, now: Date.now });
    yield* useListener(vscode.workspace.onDidChangeConfiguration, (change) => {
      if (change.affectsConfiguration('parley.questions.sound')) tellSound();
    });
    // A tab that is behind another one says that it waits.
    const setTitle = () => {
      const waits = store.get().call.status === 'waiting' && !window.visible;
      const schema = options.schema?.();
      window.setTitle(tabTitle(titleWith(title, paramsOf(store.get()), { schema }), waits));
    };
    yield* useSubscription(() => store.subscribe(setTitle));
    listeners.add(setTitle);
    yield* ensure(() => void listeners.delete(setTitle));
    changed();
    yield* suspend();
  }
  const openWindow = (opening: Opening): void => {
    const { revived } = opening;
    const showing: Showing = { seen: withResolvers<void>() };
    current = showing;
    parts.tabs.opened(panel, title);
    if (revived) parts.tabs.brought();
    showing.run = edge.fork(`the run panel of ${title}`, function* () {
      try {
        yield* keepWindow(showing, opening);
      } finally {
        showing.seen.resolve();
        if (current === showing) parts.tabs.closed(panel);
        if (current === showing) current = undefined;
      }
    });
  };

  // Of a call of an earlier window there may be a tab that the editor has not brought yet.
  let opening = false;
  function* open(): Operation<void> {
    if (opening) return;
    opening = true;
    try {
      if (!(yield* parts.tabs.bring(panel, title)) && !current) openWindow(IN_FRONT);
    } finally {
      opening = false;
    }
  }

  function show(place: WindowColumn = 'front'): void {
    closedByPerson = false;
    openedInBackground = false;
    lookedAt = true;
    if (!current && options.ofEarlierWindow) edge.fork(`finding the tab of ${title}`, open);
    else if (!current) openWindow({ place, keyboard: true });
    else {
      current.window?.reveal();
      current.link?.focus();
    }
  }

  const panel: CallPanel = {
    store,
    inbox,
    guests,
    get visible() {
      // One that is about to open comes to the front of its column.
      return current !== undefined && (current.window?.visible ?? true);
    },
    get open() {
      return current !== undefined;
    },
    get closedByPerson() {
      return closedByPerson;
    },
    show,
    adopt(window) {
      // There is one already: the editor was quicker than the code that opened it, or slower.
      if (current) return void window.dispose();
      closedByPerson = false;
      openWindow({ ...IN_FRONT, revived: window });
    },
    replace(column) {
      if (current) return;
      closedByPerson = false;
      openWindow({ place: column, keyboard: false });
    },
    *inSight() {
      if (current) yield* race([current.seen.operation, sleep(patience)]);
      // What was posted leaves this process before its sender continues.
      yield* sleep(0);
    },
    get openedInBackground() {
      return openedInBackground;
    },
    get lookedAt() {
      return lookedAt;
    },
    get place() {
      const { column, active = false } = current?.window ?? {};
      return column === undefined ? undefined : { column, active };
    },
    showInBackground(place) {
      if (current || closedByPerson) return;
      openedInBackground = true;
      openWindow({ place, keyboard: false });
    },
    close() {
      if (current) closed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return panel;
}
