import { useId, useState } from 'react';
import { IconButton } from '../../../parts/icon-button.tsx';
import { t } from '../../../parts/l10n.ts';

/** The place of a choice in the order of preference, and the ways up and down. */
export function RankButtons({
  title,
  id,
  ids,
  disabled,
  onChange,
}: {
  title: string;
  id: string;
  ids: readonly string[];
  disabled: boolean;
  onChange: (ids: readonly string[]) => void;
}) {
  const placeId = useId();
  // What moves says where it has come to; those that it passes say nothing.
  const [held, setHeld] = useState(false);
  const at = ids.indexOf(id);
  if (at === -1) return null;
  const move = (to: number): void => {
    if (to < 0 || to >= ids.length) return;
    const others = ids.filter((other) => other !== id);
    onChange([...others.slice(0, to), id, ...others.slice(to)]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to what bubbles up from the buttons
    <span className="rank" onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <span className="p-badge p-number" id={placeId} aria-live={held ? 'polite' : 'off'}>
        {t('No. {0}', at + 1)}
      </span>
      <IconButton
        icon="arrow-up"
        label={t('{0}: prefer more', title)}
        aria-describedby={placeId}
        disabled={disabled}
        // Not switched off: it may have the keyboard, which would be lost.
        aria-disabled={at === 0}
        onClick={() => move(at - 1)}
      />
      <IconButton
        icon="arrow-down"
        label={t('{0}: prefer less', title)}
        aria-describedby={placeId}
        disabled={disabled}
        aria-disabled={at === ids.length - 1}
        onClick={() => move(at + 1)}
      />
    </span>
  );
}
