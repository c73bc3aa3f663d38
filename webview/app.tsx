import { useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react';
import type { Snapshot, TimelineRow } from '../src/panel-port/index.ts';
import { Header } from './header.tsx';
import { LiveRegion } from './live-region.tsx';
import type { Page } from './page/page.ts';
import { PageProvider, usePage, usePageState } from './page/page-context.ts';
import { activityOf } from './stage/activity.ts';
import { StageView } from './stage/stage-view.tsx';
import { isLong, Timeline } from './timeline/timeline.tsx';

/**
 * Keeps the place a person has scrolled to: through hiding and reloading always, and while the timeline grows. Only
 * a person who has scrolled to the very end of a running call keeps seeing the newest line.
 */
function useScroll(snapshot: Snapshot | undefined, rows: readonly TimelineRow[], growsAtEnd: boolean): void {
  const { scroll } = usePage();
  const atEnd = useRef(false);
  const arrived = snapshot !== undefined;
  const running = snapshot?.head.stage.kind === 'running';

  useLayoutEffect(() => {
    if (!arrived) return;
    const top = scroll.read();
    if (top > 0) window.scrollTo(0, top);
    const remember = (): void => {
      const page = document.documentElement;
      atEnd.current = page.scrollTop > 0 && page.scrollTop + page.clientHeight >= page.scrollHeight - 4;
      scroll.write(Math.round(page.scrollTop));
    };
    document.addEventListener('scrollend', remember);
    return () => document.removeEventListener('scrollend', remember);
  }, [arrived, scroll]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows are the reason to run
  useEffect(() => {
    if (running && growsAtEnd && atEnd.current) window.scrollTo(0, document.documentElement.scrollHeight);
  }, [rows, running]);
}

/** The run panel. */
export function App({ page }: { page: Page }) {
  return (
    <PageProvider value={page}>
      <Panel />
    </PageProvider>
  );
}

function Panel() {
  const { snapshot, headAt } = usePageState();
  // Typing comes before logs: the timeline may lag behind by a frame.
  const rows = useDeferredValue(snapshot?.rows ?? []);
  useScroll(snapshot, rows, !isLong(rows));
  if (!snapshot) return null;
  const running = snapshot.head.stage.kind === 'running';
  return (
    <>
      <Header head={snapshot.head} headAt={headAt} />
      <main className="column">
        <StageView head={snapshot.head} rows={snapshot.rows} />
        <Timeline rows={rows} above={running ? activityOf(rows).progress?.index : undefined} />
      </main>
      <LiveRegion snapshot={snapshot} />
    </>
  );
}
