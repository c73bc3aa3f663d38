/**
 * Submits forms by script. Hosts show pages in sandboxes, and where one does not allow forms, a browser drops a submission before
 * anybody hears of it. Nothing is ever sent: what a form of a page does, its `submit` listeners do.
 */
export function submitByScript(document: Document): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return;
    const button = event.target.closest('button, input');
    const submits = button instanceof HTMLButtonElement || button instanceof HTMLInputElement;
    if (!submits || !button.form || (button.type !== 'submit' && button.type !== 'image')) return;
    event.preventDefault();
    const { form } = button;
    if (!form.noValidate && !button.formNoValidate && !form.reportValidity()) return;
    form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter: button }));
  });
}
