import type { ReactNode } from 'react';
import { Codicon } from './icon.tsx';

const ICONS = { error: 'error', warning: 'warning', info: 'info' } as const;

/** Something a person must know before going on. */
export function Banner({
  kind,
  title,
  news = false,
  children,
}: {
  kind: keyof typeof ICONS;
  title?: string;
  /** It comes by itself, and nothing else tells who cannot see it: its title is read out at once, or all of it that has none. */
  news?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={`banner banner-${kind}`}>
      <Codicon name={ICONS[kind]} />
      <div role={news && !title ? 'alert' : undefined}>
        {title && (
          <p className="banner-title" role={news ? 'alert' : undefined}>
            {title}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
