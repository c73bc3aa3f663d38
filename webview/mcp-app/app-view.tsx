import { useSyncExternalStore } from 'react';
import { openPanel } from '../../src/panel-port/index.ts';
import { LiveRegion } from '../live-region.tsx';
import type { Page } from '../page/page.ts';
import { PageProvider, usePage, usePageState } from '../page/page-context.ts';
import { t } from '../parts/l10n.ts';
import { EndStage } from '../stage/end-stage.tsx';
import { StageView } from '../stage/stage-view.tsx';
import type { ResultEnd } from './end-of-result.ts';

/** What has become of the page's call, as far as the page has heard. */
export type FollowState = 'beginning' | 'open' | 'ended' | 'elsewhere' | 'gone' | 'lost';

/** What the page has heard, and how the call ended where the host says so. */
export interface Heard {
  readonly state: FollowState;
  readonly end?: ResultEnd | undefined;
}

/** What the component reads {@link Heard} from. */
export interface FollowingStore {
  readonly get: () => Heard;
  readonly subscribe: (listener: () => void) => () => void;
}

/** One call in a conversation: its question, how it goes on, and its end. The conversation has all the rest. */
export function AppView({ page, following }: { page: Page; following: FollowingStore }) {
  return (
    <PageProvider value={page}>
      <Call following={useSyncExternalStore(following.subscribe, following.get)} />
    </PageProvider>
  );
}

function Call({ following: { state, end } }: { following: Heard }) {
  const { snapshot } = usePageState();
  const page = usePage();
  const note = noteOf(state, page.outside);
  if (!snapshot || (note !== undefined && !isOver(snapshot.head.stage.kind)))
    return state === 'ended' && end ? (
      <Ended end={end} />
    ) : (
      <p className="app-note">{note ?? t('One moment…')}</p>
    );
  return (
    <main className="app-call">
      <StageView head={snapshot.head} rows={snapshot.rows} />
      {!page.outside && (
        <button type="button" className="link app-panel" onClick={() => page.post(openPanel({}))}>
          {t('Open in Panel')}
        </button>
      )}
      <LiveRegion snapshot={snapshot} />
    </main>
  );
}

/** The end of a call that only the host knows: there is nobody to send anything to. */
function Ended({ end }: { end: ResultEnd }) {
  const page = usePage();
  return (
    <PageProvider value={{ ...page, outside: true }}>
      <main className="app-call">
        <section className={`stage stage-${end.kind}`} aria-labelledby="stage-title">
          <EndStage stage={end} call={{ title: '' }} shown={undefined} />
        </section>
      </main>
    </PageProvider>
  );
}

function isOver(kind: string): boolean {
  return kind === 'result' || kind === 'error' || kind === 'aborted';
}

function noteOf(following: FollowState, outside: boolean): string | undefined {
  switch (following) {
    case 'beginning':
    case 'open':
      return undefined;
    case 'ended':
      return t('This call has ended.');
    case 'elsewhere':
      return outside ? t('This call asks in another view.') : t('This call asks in its own panel.');
    case 'gone':
      return outside
        ? t(
            'This page is no longer connected to its call. The call ended, or the server restarted. To run the tool again, ask for it again.',
          )
        : t(
            'This page is no longer connected to its call. The call ended, or the window was reloaded. A call that still waits is in the Calls view of Parley. To run it again, ask for it again.',
          );
    case 'lost':
      return t('The server of this tool can no longer be reached.');
  }
}
