import { createSignal, type Operation } from 'effection';
import { bringTab } from './run-tabs.ts';

/** The windows that panels have, and tabs of them that the editor has not brought back yet. */
export interface PanelTabs {
  opened(panel: object, title: string): void;
  closed(panel: object): void;
  /** The editor has brought one. */
  brought(): void;
  /** Looks for the tab of a panel among those; false when it has none. */
  bring(panel: object, title: string): Operation<boolean>;
}

/** The tabs of this window. */
export function* usePanelTabs(): Operation<PanelTabs> {
  const live = new Map<object, string>();
  const signal = createSignal<void, void>();
  return {
    opened: (panel, title) => void live.set(panel, title),
    closed: (panel) => void live.delete(panel),
    brought: () => signal.send(),
    *bring(panel, title) {
      const brought = yield* signal;
      return yield* bringTab(title, {
        live: () => [...live.values()].filter((one) => one === title).length,
        isThere: () => live.has(panel),
        came: () => brought.next(),
      });
    },
  };
}
