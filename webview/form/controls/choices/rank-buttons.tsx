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
  const at = ids.indexOf(id);
  if (at === -1) return null;
  const move = (to: number): void => {
    const others = ids.filter((other) => other !== id);
    onChange([...others.slice(0, to), id, ...others.slice(to)]);
  };
  return (
    <span className="rank">
      <span className="p-badge p-number">{t('No. {0}', at + 1)}</span>
      <IconButton
        icon="arrow-up"
        label={t('{0}: prefer more', title)}
        disabled={disabled || at === 0}
        onClick={() => move(at - 1)}
      />
      <IconButton
        icon="arrow-down"
        label={t('{0}: prefer less', title)}
        disabled={disabled || at === ids.length - 1}
        onClick={() => move(at + 1)}
      />
    </span>
  );
}
