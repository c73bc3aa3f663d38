import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textarea/index.js';
import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/index.js';
import type { VscodeTextarea } from '@vscode-elements/elements/dist/vscode-textarea/index.js';
import { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { HTMLAttributes, Key, Ref } from 'react';

/*
 * The custom elements the page uses, and their types in JSX. Ticks, radio buttons and selects are the browser's own,
 * dressed in `form.css`: the elements' inner tick ignores clicks of screen readers, their radio button is announced as a
 * tick, and their select chooses the first option by itself.
 */

type Props<Element extends HTMLElement, Own extends keyof Element> = Omit<
  HTMLAttributes<Element>,
  Own | 'onChange'
> & { [K in Own]?: Element[K] | undefined } & { key?: Key; ref?: Ref<Element> | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': Props<VscodeButton, 'disabled' | 'secondary' | 'type' | 'iconOnly'>;
      'vscode-textarea': Props<
        VscodeTextarea,
        'disabled' | 'invalid' | 'label' | 'monospace' | 'placeholder' | 'resize' | 'rows' | 'value'
      >;
      'vscode-textfield': Props<
        VscodeTextfield,
        'disabled' | 'invalid' | 'label' | 'placeholder' | 'step' | 'type' | 'value'
      >;
    }
  }
}

/** A custom element of the page that wraps a control of the browser. */
export type TextElement = VscodeTextfield | VscodeTextarea;

// Its inner input has square corners inside a rounded border.
const corners = new CSSStyleSheet();
corners.replaceSync('input { border-radius: 3px; }');
VscodeTextfield.elementStyles.push(corners);
