/**
 * Calls back whenever the person has the keyboard in the page: now, and each time that it comes. To be shown is not enough, for
 * the editor shows pages while its user types elsewhere.
 */
export function onLook(view: Window, looked: () => void): void {
  if (view.document.hasFocus()) looked();
  view.addEventListener('focus', looked);
}
