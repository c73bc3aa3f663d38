/**
 * Lets the styles and scripts count that a document holds as plain text, in their order: until then the browser does not even
 * parse them.
 */
export function letHeldPartsCount(document: Document): void {
  for (const held of document.querySelectorAll('style[type="text/plain"], script[type="text/plain"]')) {
    // With its nonce, where the host's policy goes by nonces.
    const live = held.cloneNode(true) as Element;
    live.removeAttribute('type');
    held.replaceWith(live);
  }
}
