const CONTROLS = '[data-control], input, select, textarea, button, a[href], [tabindex="0"]';

/** What cannot take the keyboard, and buttons that answer by themselves. */
const UNFIT =
  ':disabled, [disabled], [aria-disabled="true"], [tabindex="-1"]:not([data-control]), .buttons *, .banner *';

/** Puts the keyboard into a control: into the chosen (or first) option of a group. */
export function focusControl(element: Element | null | undefined, options?: FocusOptions): void {
  if (!(element instanceof HTMLElement)) return;
  const inner =
    element.querySelector<HTMLElement>('input:checked:not(:disabled)') ??
    element.querySelector<HTMLElement>(':is(input, textarea, select, .list-add):not(:disabled)');
  (inner ?? element).focus(options);
}

/** Controls of one answer, and groups of choices. A list that is empty has nothing but its button. */
const ANSWERS = ':is([data-control]:not(.list, .group, [type="checkbox"]), [data-control].options)';

/** The next control of the form in which nothing is given, in the order in which they are read. */
export function nextEmpty(from: Element): Element | undefined {
  const controls = [...(from.closest('form')?.querySelectorAll(ANSWERS) ?? [])];
  return controls.find((control) => {
    const isLater = from.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING;
    return (
      isLater &&
      !control.contains(from) &&
      !control.matches(':disabled, details:not([open]) *') &&
      isEmpty(control)
    );
  });
}

function isEmpty(control: Element): boolean {
  const inputs = control.matches('input, textarea, select')
    ? [control]
    : [...control.querySelectorAll('input')];
  return inputs.every((input) =>
    input instanceof HTMLInputElement && /radio|checkbox/.test(input.type)
      ? !input.checked
      : 'value' in input && input.value === '',
  );
}

/**
 * Puts the keyboard into the first control of `region` in which an answer is given, or into the region itself: never on
 * Decline or Cancel, where the Enter that is still down would answer. Nothing scrolls: what is asked is read first.
 */
export function focusFirst(region: HTMLElement): void {
  const controls = region.querySelector('.card')?.querySelectorAll<HTMLElement>(CONTROLS) ?? [];
  const first = [...controls].find((control) => !control.matches(UNFIT));
  if (first) focusControl(chosenBeside(first) ?? first, { preventScroll: true });
  else region.focus({ preventScroll: true });
}

/**
 * Puts the keyboard on what was read last, before the button that draws more of it goes away: reading, and Tab, go on there.
 */
export function readOn(last: Element | null | undefined): void {
  if (!(last instanceof HTMLElement)) return;
  last.tabIndex = -1;
  last.focus({ preventScroll: true });
}

/** Scrolls to where `region` begins, unless that is in sight, below the header. */
export function showBeginning(region: HTMLElement): void {
  const { top } = region.getBoundingClientRect();
  const hidden = document.querySelector('.header')?.getBoundingClientRect().bottom ?? 0;
  if (top < hidden || top > window.innerHeight / 2) region.scrollIntoView({ block: 'start' });
}

/** The radio button that is chosen in the group of `control`, if it is one. */
function chosenBeside(control: HTMLElement): HTMLElement | undefined {
  if (!(control instanceof HTMLInputElement) || control.type !== 'radio') return undefined;
  const group = document.getElementsByName(control.name);
  return [...group].find((radio) => radio instanceof HTMLInputElement && radio.checked);
}

/**
 * May the page move the keyboard into `region`? Only when the keyboard is in the page at all (the person may be typing in
 * an editor) and is not busy elsewhere in it.
 */
export function mayMoveFocus(region: HTMLElement): boolean {
  if (!document.hasFocus()) return false;
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || region.contains(activeElement);
}

/** Has the person gone on with the keyboard from where the page has put it: from `region`, or nowhere? */
export function hasMovedFocus(region: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && activeElement !== region;
}
