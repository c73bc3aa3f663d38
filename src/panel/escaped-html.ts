/** A text as it stands in HTML, in an attribute, too. */
export function escapedHtml(text: string): string {
  return text.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
