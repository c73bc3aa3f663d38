/**
 * Calls back once, when the person has the keyboard in the page: the first time, or already. To be shown is not enough, for
 * the editor shows pages while its user types elsewhere.
 */
export function onFirstLook(view: Window, looked: () => void): void {
  if (view.document.hasFocus()) looked();
  else view.addEventListener('focus', looked, { once: true });
}
