import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { TextArea } from '../form/controls/text-area.tsx';
import { usePage } from '../page/page-context.ts';
import { Button } from '../parts/button.tsx';
import { t } from '../parts/l10n.ts';
import { SUBMIT_KEYS } from '../parts/platform.ts';

/** What {@link ReplyBox} takes. */
interface ReplyBoxProps {
  /** Where its text is kept: the same through all attempts of a question. */
  readonly scope: string;
  readonly locked: boolean;
  onSend(text: string): void;
  /** Escape. */
  onClose(): void;
}

/** What its text is kept by, among the drafts of its question. */
export const REPLY_DRAFT = 'reply';

/** A word back to who asks, which answers nothing. */
export function ReplyBox({ scope, locked, onSend, onClose }: ReplyBoxProps) {
  const { drafts } = usePage();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const kept = drafts.read(scope, REPLY_DRAFT);
  const [text, setText] = useState(typeof kept === 'string' ? kept : '');
  useEffect(() => box.current?.querySelector('textarea')?.focus(), []);
  const isBlank = text.trim() === '';
  const send = (): void => {
    if (!locked && !isBlank) onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="card" ref={box}>
      <label className="field-label" htmlFor={id}>
        {t('Your reply')}
      </label>
      <p className="muted" id={`${id}-about`}>
        {t('It is sent instead of an answer. The question ends, and may be asked again.')}
      </p>
      <TextArea
        id={id}
        aria-describedby={`${id}-about`}
        rows={3}
        value={text}
        disabled={locked}
        onKeyDown={onKeyDown}
        onChange={(next) => {
          drafts.write(scope, REPLY_DRAFT, next);
          setText(next);
        }}
      />
      <div className="buttons">
        <Button disabled={locked || isBlank} title={SUBMIT_KEYS} onClick={send}>
          {t('Send Reply')}
        </Button>
      </div>
    </div>
  );
}
