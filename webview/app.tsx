import { useDeferredValue } from 'react';
import { Header } from './header.tsx';
import { LiveRegion } from './live-region.tsx';
import type { Page } from './page/page.ts';
import { PageProvider, usePageState } from './page/page-context.ts';
import { useScroll } from './page/use-scroll.ts';
import { activityOf } from './stage/activity.ts';
import { StageView } from './stage/stage-view.tsx';
import { isLong, Timeline } from './timeline/timeline.tsx';

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
