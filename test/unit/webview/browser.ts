/*
 * What happy-dom lacks and custom elements need. Imported before the elements are.
 */

// Form-associated elements: ours only report their value and validity there, which nothing here reads.
HTMLElement.prototype.attachInternals ??= function (this: HTMLElement) {
  const form = () => this.closest('form');
  return {
    get form() {
      return form();
    },
    setFormValue() {},
    setValidity() {},
  } as unknown as ElementInternals;
};

// An event from a shadow tree is seen from outside as one of its host (DOM standard, “retarget”).
const targetOf = Object.getOwnPropertyDescriptor(Event.prototype, 'target')?.get;
Object.defineProperty(Event.prototype, 'target', {
  configurable: true,
  get(this: Event) {
    const seenFrom = this.currentTarget instanceof Node ? this.currentTarget.getRootNode() : document;
    let target: unknown = targetOf?.call(this);
    while (target instanceof Node && target.getRootNode() !== seenFrom) {
      const root = target.getRootNode();
      if (!(root instanceof ShadowRoot)) break;
      target = root.host;
    }
    return target;
  },
});
