import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Page } from './page.ts';
import type { PageState } from './page-state.ts';

const PageContext = createContext<Page | undefined>(undefined);

/** Gives the components below it their page. */
export const PageProvider = PageContext.Provider;

/** The page that a component is part of. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A part of the run panel is used outside of a page: wrap it in PageProvider.');
  return page;
}

/** The page's state, drawn anew when it changes. */
export function usePageState(): PageState {
  const page = usePage();
  return useSyncExternalStore(page.subscribe, page.state);
}
