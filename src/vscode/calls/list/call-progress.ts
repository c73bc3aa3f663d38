import { type Operation, sleep, withResolvers } from 'effection';
import type { PanelState } from '../../../panel/model/state.ts';
import { useSubscription } from '../../bridge.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import { noticeText } from '../notices/notice-text.ts';

/** Milliseconds between two looks at what runs. */
const PACE = 500;

/** How far a call that runs is: what its tool says of it, else `3/10` or `40 %`. Nothing where the tool says nothing. */
export function progressText({ call, rows }: Pick<PanelState, 'call' | 'rows'>): string | undefined {
  if (call.status !== 'running') return undefined;
  const row = rows.findLast((one) => one.type === 'progress' && !one.done);
  if (row?.type !== 'progress') return undefined;
  const { message, value, total } = row;
  if (message) return noticeText(message);
  if (value === undefined) return undefined;
  if (total !== undefined) return `${rounded(value)}/${rounded(total)}`;
  return `${Math.round(Math.min(1, Math.max(0, value)) * 100)} %`;
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/**
 * Hands calls whose progress reads differently to `moved`, all of them at once and at most so often: however much a tool says, a list has
 * little to do. Runs until it is halted.
 */
export function* followProgress(
  calls: Pick<CallList, 'watch'>,
  moved: (entries: CallEntry[]) => void,
  pace: number = PACE,
): Operation<never> {
  const said = new WeakMap<CallEntry, string | undefined>();
  const heard = new Set<CallEntry>();
  let next = withResolvers<void>();
  yield* useSubscription(() =>
    calls.watch((entry) => {
      heard.add(entry);
      next.resolve();
    }),
  );
  for (;;) {
    yield* next.operation;
    next = withResolvers<void>();
    const changed = [...heard].filter((entry) => {
      const text = progressText(entry.panel.store.get());
      const before = said.get(entry);
      said.set(entry, text);
      return text !== before;
    });
    heard.clear();
    if (changed.length > 0) moved(changed);
    yield* sleep(pace);
  }
}
