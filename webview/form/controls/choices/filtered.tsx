import { type ReactNode, useState } from 'react';
import { t } from '../../../parts/l10n.ts';
import type { ControlHead } from '../control.ts';
import type { Choice } from './choice.ts';

/** From so many choices on they are in a box that can be filtered. */
export const MANY = 11;

/** So many choices are drawn at once. */
const MOST_DRAWN = 200;

/** So many choices that are not drawn are named. */
const MOST_NAMED = 5;

/** What {@link Filtered} takes. */
export interface FilteredProps {
  readonly choices: readonly Choice[];
  readonly head: ControlHead;
  readonly disabled: boolean;
  /** Ids of what is chosen. */
  readonly chosen: readonly string[];
  /** Draws the choices that match. */
  readonly children: (matching: readonly Choice[]) => ReactNode;
  /** Chooses all that match; where that is possible. */
  readonly onAll?: (matching: readonly Choice[]) => void;
}

/** Many choices: a box that scrolls, with a filter above it and how many are chosen. Those that are not drawn are named. */
export function Filtered({ choices, head, disabled, chosen, children, onAll }: FilteredProps) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = choices.filter(({ title, description = '' }) => {
    const text = `${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const drawn = matching.slice(0, MOST_DRAWN);
  const shown = new Set(drawn);
  const ids = new Set(chosen);
  const elsewhere = choices.filter((choice) => ids.has(choice.id) && !shown.has(choice));
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
          aria-describedby={head['aria-labelledby']}
          aria-controls={head.id}
          data-enter="stay"
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <span className="muted" role="status">
          {words.length > 0
            ? t('{0} match, {1} chosen', matching.length, chosen.length)
            : t('{0} chosen', chosen.length)}
        </span>
        {onAll && (
          <button
            type="button"
            className="link"
            aria-describedby={head['aria-labelledby']}
            disabled={disabled}
            onClick={() => onAll(matching)}
          >
            {t('Select All')}
          </button>
        )}
      </div>
      {children(drawn)}
      {elsewhere.length > 0 && (
        <p className="field-help" dir="auto">
          {t('Selected, but not shown: {0}', namesOf(elsewhere))}
        </p>
      )}
      {matching.length > drawn.length && (
        <p className="field-help">{t('{0} more: filter to see them.', matching.length - drawn.length)}</p>
      )}
    </>
  );
}

function namesOf(choices: readonly Choice[]): string {
  const names = choices.slice(0, MOST_NAMED).map(({ title }) => title);
  return (choices.length > names.length ? [...names, '…'] : names).join(', ');
}
