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
  /** The other answer that the view offers, in a quiet button after the main one. */
  readonly other?: { readonly label: string; onPress(): void };
}

/**
 * Hands a view's main button to the panel, which puts it into its own row of actions, beside Decline and Cancel: in sight
 * however long the view is, and pressed by Ctrl+Enter. Draw what it returns: outside of a run panel (in a test) that is the
 * button itself. Where there are two ways to answer, `other` is the second.
 *
 * @example
 * const choose = usePrimaryAction(`Choose ${seat}`, () => onRespond({ seat }), { disabled: seat === null });
 * return <div className="p-stack">{seats}{choose}</div>;
 */
export function usePrimaryAction(
  label: string,
  onPress: () => void,
  { disabled = false, other }: PrimaryActionOptions = {},
): ReactNode {
  const row = useContext(PrimaryActionRow);
  const locked = row?.locked === true;
  const buttons = (
    <>
      <Button
        // In a form of the view it is what Enter presses; pressed, it answers by itself and sends no form.
        type="submit"
        disabled={disabled || locked}
        onClick={(event) => {
          event.preventDefault();
          onPress();
        }}
      >
        {label}
      </Button>
      {other && (
        <Button secondary disabled={locked} onClick={() => other.onPress()}>
          {other.label}
        </Button>
      )}
    </>
  );
  return row ? row.put(buttons) : buttons;
}
