import { createRoot } from 'react-dom/client';
import { pageProblem } from '../src/panel-port/index.ts';
import { App } from './app.tsx';
import type { Page } from './page/page.ts';

/** Draws `page` into `container`; what React cannot mend goes to the host's log. */
export function mount(page: Page, container: Element): void {
  const root = createRoot(container, {
    onUncaughtError: (error) => page.post(problemOf(error)),
  });
  root.render(<App page={page} />);
}

function problemOf(error: unknown) {
  return error instanceof Error
    ? pageProblem({ message: `The run panel failed: ${error.message}`, detail: error.stack ?? error.name })
    : pageProblem({ message: `The run panel failed: ${String(error)}` });
}
