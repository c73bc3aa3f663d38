import type { ComponentProps } from 'react';

/** What {@link Button} takes, beside what any button does. */
export interface ButtonProps extends ComponentProps<'button'> {
  readonly secondary?: boolean | undefined;
}

/** A button as VS Code draws its own. */
export function Button({ secondary = false, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${secondary ? 'button-secondary' : ''} ${className}`}
      {...rest}
    />
  );
}
