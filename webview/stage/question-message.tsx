import { useEffect, useRef, useState } from 'react';
import { readOn } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { LongText } from '../value/long-text.tsx';

/** What a question says. Where that is long it has a scroll bar of its own: what it asks for stays in sight. */
export function QuestionMessage({ children }: { children: string }) {
  const box = useRef<HTMLElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <section
        ref={box}
        className={`stage-message ${isWhole ? '' : 'stage-message-bounded'}`}
        tabIndex={isCut ? 0 : -1}
        aria-labelledby="stage-title"
      >
        <div>
          <LongText>{children}</LongText>
        </div>
      </section>
      {isCut && (
        <button
          type="button"
          className="link link-small"
          onClick={() => {
            readOn(box.current);
            setWhole(true);
          }}
        >
          {t('Show All')}
        </button>
      )}
    </>
  );
}
