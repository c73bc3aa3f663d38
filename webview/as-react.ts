import { options, type Ref, type VNode } from 'preact';

/*
 * Where Preact does otherwise than React, for which the page and its views are written. Loaded before anything is drawn.
 */

/** What Preact's own tools hang on, and the element that a node was drawn as; the names are the same in all that is published. */
interface Inner {
  /** Before a node is compared with what is drawn. */
  __b?: (node: VNode) => void;
  /** What was compared is in the document. */
  __c?: (node: VNode, queue: unknown) => void;
}

/*
 * It draws anew after each listener. A box that a click has just ticked would be drawn as it was before anybody has told of it, and the
 * browser, which sees no change then, would tell nobody: what follows from such a click is drawn when all have heard of its change.
 */
let held: (() => void)[] | undefined;
const drawHeld = (): void => {
  const draws = held ?? [];
  held = undefined;
  for (const draw of draws) draw();
};
options.debounceRendering = (draw) => {
  if (held) held.push(draw);
  else queueMicrotask(draw);
};
const hold = ({ target }: Event): void => {
  if (!(target instanceof HTMLInputElement && isTicked(target))) return;
  held ??= [];
  // One that changes nothing has no change to tell of.
  setTimeout(drawHeld);
};
window.addEventListener('click', hold, true);
window.addEventListener('change', drawHeld);

/*
 * Effects come after a frame, and so after what was drawn anew before. In React they come first: what a view is drawn from may be what the
 * effects of its parts have noted.
 */
let effects: (() => void) | undefined;
const runEffects = (): void => {
  const run = effects;
  effects = undefined;
  run?.();
};
const inner = options as Inner;
const { __b: beginsOne, __c: commits } = inner;
let drawing = false;
inner.__b = (node) => {
  if (!drawing) {
    runEffects();
    drawing = true;
  }
  beginsOne?.(node);
};
inner.__c = (node, queue) => {
  commits?.(node, queue);
  drawing = false;
};
/** Milliseconds: a page that is not in sight has no frames. */
const NO_FRAME = 35;
options.requestAnimationFrame = (run) => {
  effects = run;
  requestAnimationFrame(() => setTimeout(runEffects));
  setTimeout(runEffects, NO_FRAME);
};

/*
 * It leaves `autoFocus` to the browser, which minds the first one of a document only. React gives the keyboard to each as it is drawn.
 */
const before = options.vnode;
options.vnode = (node) => {
  if (takesKeyboard(node)) node.ref = focusing(node.ref);
  before?.(node);
};

function takesKeyboard({ type, props }: VNode): boolean {
  return typeof type === 'string' && (props as { autoFocus?: unknown }).autoFocus === true;
}

type Drawn = Element | null;

/** A reference is told of anything once, as long as it is the same: there is one for each. */
const known = new WeakMap<object, (drawn: Drawn) => void>();

function focusing(ref: Ref<Element> | undefined): (drawn: Drawn) => void {
  if (!ref) return focus;
  const one = known.get(ref) ?? tellAndFocus(ref);
  known.set(ref, one);
  return one;
}

function tellAndFocus(ref: Ref<Element>): (drawn: Drawn) => void {
  return (drawn) => {
    if (typeof ref === 'function') ref(drawn);
    else if (ref) ref.current = drawn;
    focus(drawn);
  };
}

function focus(drawn: Drawn): void {
  if (drawn instanceof HTMLElement) drawn.focus();
}

/*
 * What a person types or ticks stays as they left it, also where the view did not take it. React puts back what the view says it holds: a
 * field that takes digits alone shows no letters, and a box that cannot be ticked any more has no tick.
 */
const drawnWith = new WeakMap<EventTarget, { readonly value?: unknown; readonly checked?: unknown }>();
const diffed = options.diffed;
options.diffed = (node) => {
  const { __e: drawn } = node as { readonly __e?: unknown };
  if (isField(drawn)) drawnWith.set(drawn, node.props as object);
  diffed?.(node);
};
const putBack = ({ target }: Event): void => {
  const props = isField(target) ? drawnWith.get(target) : undefined;
  if (!props || !isField(target)) return;
  if (target instanceof HTMLInputElement && isTicked(target)) {
    if (typeof props.checked === 'boolean') target.checked = props.checked;
  } else if (typeof props.value === 'string' && props.value !== target.value) target.value = props.value;
};
const whenDrawn = (event: Event): void => queueMicrotask(() => putBack(event));
window.addEventListener('input', (event) => held ?? whenDrawn(event));
window.addEventListener('change', whenDrawn);

function isField(drawn: unknown): drawn is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    drawn instanceof HTMLInputElement ||
    drawn instanceof HTMLTextAreaElement ||
    drawn instanceof HTMLSelectElement
  );
}

function isTicked({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio';
}
