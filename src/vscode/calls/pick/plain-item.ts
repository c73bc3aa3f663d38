import { asLabel } from '../../../core/messages/label.ts';

/** A text of a stranger in a list of VS Code: a line of it, in which `$(…)` is no icon of ours. */
export function plainItem(text: string): string {
  return asLabel(text, 300).replaceAll('$(', '$\u200b(');
}
