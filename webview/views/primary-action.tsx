import { createContext, type ReactNode, useContext } from 'react';
import { Button } from '../parts/button.tsx';

/** The panel's row of actions, for the view below: it puts a button there, and says when nothing can be pressed. */
export const PrimaryActionRow = createContext<
  { readonly put: (button: ReactNode) => ReactNode; readonly locked: boolean } | undefined
>(undefined);

/** What else {@link usePrimaryAction} can be told. */
export interface PrimaryActionOptions {
  /** There is nothing to answer with yet. */
  readonly disabled?: boolean;
}

/**
 * Hands a view's main button to the panel, which puts it into its own row of actions, beside Decline and Cancel: in sight
 * however long the view is, and pressed by Ctrl+Enter. Draw what it returns: outside of a run panel (in a test) that is the
 * button itself.
 *
 * @example
 * const choose = usePrimaryAction(`Choose ${seat}`, () => onRespond({ seat }), { disabled: seat === null });
 * return <div className="p-stack">{seats}{choose}</div>;
 */
export function usePrimaryAction(
  label: string,
  onPress: () => void,
  { disabled = false }: PrimaryActionOptions = {},
): ReactNode {
  const row = useContext(PrimaryActionRow);
  const button = (
    <Button
      // In a form of the view it is what Enter presses; pressed, it answers by itself and sends no form.
      type="submit"
      disabled={disabled || row?.locked === true}
      onClick={(event) => {
        event.preventDefault();
        onPress();
      }}
    >
      {label}
    </Button>
  );
  return row ? row.put(button) : button;
}
