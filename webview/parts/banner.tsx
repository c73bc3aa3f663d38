import type { ReactNode } from 'react';
import { Codicon } from './icon.tsx';

const ICONS = { error: 'error', warning: 'warning', info: 'info' } as const;

/** Something a person must know before going on. */
export function Banner({
  kind,
  title,
  children,
}: {
  kind: keyof typeof ICONS;
  title?: string;
  children: ReactNode;
}) {
  return (
    <div className={`banner banner-${kind}`}>
      <Codicon name={ICONS[kind]} />
      <div>
        {title && <p className="banner-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}
