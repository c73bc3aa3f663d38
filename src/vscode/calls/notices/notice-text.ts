import { asLabel } from '../../../core/messages/label.ts';

/** As much as one reads in a notification. */
const LONGEST = 161;

/**
 * What a tool or a client says, for a notification: one line that ends somewhere, nothing in it that cannot be seen, and no link, which
 * the editor would make of Markdown.
 */
export function noticeText(text: string, longest = LONGEST): string {
  // As long as a bracket and a parenthesis touch, what is between them is a link.
  return asLabel(text, longest).replaceAll('](', '] (');
}
