import { plainLine } from '../../../core/messages/plain-line.ts';
import type { Translate } from '../notices/explain.ts';

/** More of them would fill the view. */
const MOST = 3;

/** What the Calls view says of calls that another window on this folder has; an empty text where there are none. */
export function elsewhereText(calls: readonly { readonly title: string }[], t: Translate): string {
  const titles = calls.slice(0, MOST).map(({ title }) => plainLine(title));
  const [title = ''] = titles;
  if (calls.length === 0) return '';
  if (calls.length === 1) return t('In another window on this folder: {0}', title);
  const more = calls.length > MOST ? ', …' : '';
  return t('{0} calls in other windows on this folder: {1}', String(calls.length), titles.join(', ') + more);
}
