/** As much as one reads in a notification. */
const LONGEST = 160;

/**
 * What a tool or a client says, for a notification: one line that ends somewhere, nothing in it that cannot be seen, and no link, which
 * the editor would make of Markdown.
 */
export function noticeText(text: string): string {
  const seen = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  // As long as a bracket and a parenthesis touch, what is between them is a link.
  const plain = Array.from(seen.replaceAll('](', '] ('));
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST).join('')}…` : plain.join('');
}
