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
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="tool-button"
      onClick={() => {
        page.post(copy({ text: toClipboard(value) }));
        setCopied(true);
      }}
    >
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? t('Copied') : t('Copy')}</span>
    </button>
  );
}
