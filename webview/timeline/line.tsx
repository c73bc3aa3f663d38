import type { ReactNode } from 'react';
import { Codicon } from '../parts/icon.tsx';

/** What {@link Line} takes. */
export interface LineProps {
  readonly icon: string;
  /** Said instead of the icon, where the text does not say it. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/** A row's icon and text; text that wraps stays clear of the icon. */
export function Line({ icon, label, children }: LineProps) {
  return (
    <span className="line">
      <Codicon name={icon} label={label} className="line-icon" />
      <span className="line-text">{children}</span>
    </span>
  );
}
