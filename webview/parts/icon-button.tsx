import type { ComponentProps } from 'react';
import { Codicon } from './icon.tsx';

/** What {@link IconButton} takes, beside what any button does. */
export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'title'> {
  readonly icon: string;
  readonly label: string;
}

/** A small button that shows an icon and says its label. */
export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} title={label} aria-label={label} {...rest}>
      <Codicon name={icon} />
    </button>
  );
}
