import { useEffect, useState } from 'react';
import { copy } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { t } from '../parts/l10n.ts';

/** Puts a text on the clipboard, by way of the host: a page has the clipboard only while it has the focus. */
export function CopyButton({ text }: { text: () => string }) {
  const page = usePage();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const name = copied ? t('Copied') : t('Copy');
  return (
    <>
      <IconButton
        icon={copied ? 'check' : 'copy'}
        label={name}
        onClick={() => {
          page.post(copy({ text: text() }));
          setCopied(true);
        }}
      />
      <span className="visually-hidden" aria-live="polite">
        {copied && name}
      </span>
    </>
  );
}
