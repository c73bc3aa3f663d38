import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { within } from './within.ts';

/** One way in which a page keeps somebody out. */
export interface AccessibilityProblem {
  readonly rule: string;
  readonly impact: string;
  readonly help: string;
  /** Selectors of the elements concerned, with what is wrong with each. */
  readonly where: readonly string[];
}

/** How long colours and places may take to change, on a busy machine, in milliseconds. */
const PATIENCE = 60_000;

const AT_REST = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect, playState }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime))
    .map(({ finished }) => finished),
).then(() => {})`;

/**
 * The serious and critical problems that axe finds in a document, for example a webview's.
 * It is run from outside, so the document's own content security policy stays in force.
 */
export async function accessibilityProblems(target: Frame | Page): Promise<AccessibilityProblem[]> {
  await target.evaluate(`${axe.source}; undefined`);
  await atRest(target);
  const results = (await target.evaluate('axe.run()')) as axe.AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => ({
      rule: id,
      impact: impact ?? '',
      help,
      where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    }));
}

/** Ends when nothing of a document is on its way to another colour or place; what moves for ever is not waited for. */
export async function atRest(target: Frame | Page): Promise<void> {
  // Evaluated once: the security policy of a panel allows no polling.
  await within(PATIENCE, 'rest in the document', target.evaluate(AT_REST));
}
