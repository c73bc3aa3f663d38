import { useState } from 'react';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';

/** So much of a text is drawn at once: a megabyte would be a page of a thousand windows. */
const PART = 20_000;

/** A text that a tool returned, as Markdown where it is; of a very long one the beginning, and more on demand. */
export function LongText({ children }: { children: string }) {
  const [shown, setShown] = useState(PART);
  return (
    <>
      <Markdown>{children.length > shown ? children.slice(0, shown) : children}</Markdown>
      {children.length > shown && (
        <p>
          <button type="button" className="link" onClick={() => setShown(shown * 4)}>
            {t('{0} more characters', children.length - shown)}
          </button>
        </p>
      )}
    </>
  );
}
