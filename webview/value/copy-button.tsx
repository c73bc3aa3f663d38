import { useEffect, useState } from 'react';
import type { JsonValue } from '../../src/core/messages/json.ts';
import { copy } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { Icon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { toClipboard } from './value-shape.ts';

/** Puts a value on the clipboard, by way of the host: a page has the clipboard only while it has the focus. */
export function CopyButton({ value }: { value: JsonValue }) {
  const page = usePage();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const name = copied ? t('Copied') : t('Copy');
  return (
    <button
      type="button"
      className="icon-button"
      title={name}
      aria-label={name}
      onClick={() => {
        page.post(copy({ text: toClipboard(value) }));
        setCopied(true);
      }}
    >
      <Icon name={copied ? 'check' : 'copy'} />
      <span className="visually-hidden" aria-live="polite">
        {copied && name}
      </span>
    </button>
  );
}
