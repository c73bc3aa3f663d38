import { createRoot } from 'react-dom/client';
import { pageProblem } from '../src/panel-port/index.ts';
import { App } from './app.tsx';
import type { Page } from './page/page.ts';
import { ErrorBoundary } from './views/error-boundary.tsx';

/** Draws `page` into `container`; that it cannot be drawn goes to the host's log. */
export function mount(page: Page, container: Element): void {
  createRoot(container).render(
    <ErrorBoundary onError={(error) => page.post(problemOf(error))}>
      <App page={page} />
    </ErrorBoundary>,
  );
}

function problemOf(error: unknown) {
  return error instanceof Error
    ? pageProblem({ message: `The run panel failed: ${error.message}`, detail: error.stack ?? error.name })
    : pageProblem({ message: `The run panel failed: ${String(error)}` });
}
