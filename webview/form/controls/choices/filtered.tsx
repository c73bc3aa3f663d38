import { type ReactNode, useState } from 'react';
import { t } from '../../../parts/l10n.ts';
import type { Choice } from '../../field/field.ts';
import type { ControlHead } from '../control.ts';

/** From so many choices on they are in a box that can be filtered. */
export const MANY = 11;

/** So many choices are drawn at once. */
const MOST_DRAWN = 200;

/** What {@link Filtered} takes. */
export interface FilteredProps {
  readonly choices: readonly Choice[];
  readonly head: ControlHead;
  readonly disabled: boolean;
  readonly chosen: number;
  /** Draws the choices that match; what is chosen comes along when it does not. */
  readonly children: (matching: readonly Choice[]) => ReactNode;
  /** Chooses all that match; where that is possible. */
  readonly onAll?: (matching: readonly Choice[]) => void;
}

/** Many choices: a box that scrolls, with a filter above it and how many are chosen. */
export function Filtered({ choices, head, disabled, chosen, children, onAll }: FilteredProps) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = choices.filter(({ title, description = '' }) => {
    const text = `${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const drawn = matching.slice(0, MOST_DRAWN);
  return (
    <>
      <div className="filter">
        <input
          className="input"
          type="search"
          value={filter}
          disabled={disabled}
          placeholder={t('Filter {0} choices', choices.length)}
          aria-label={t('Filter {0} choices', choices.length)}
          aria-controls={head.id}
          data-enter="stay"
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <span className="muted" role="status">
          {words.length > 0 ? t('{0} match, {1} chosen', matching.length, chosen) : t('{0} chosen', chosen)}
        </span>
        {onAll && (
          <button type="button" className="link" disabled={disabled} onClick={() => onAll(matching)}>
            {t('Choose All')}
          </button>
        )}
      </div>
      {children(drawn)}
      {matching.length > drawn.length && (
        <p className="field-help">{t('{0} more: filter to see them.', matching.length - drawn.length)}</p>
      )}
    </>
  );
}
