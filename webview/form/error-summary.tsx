import type { Ref } from 'react';
import { Codicon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { topOf } from './field/field.ts';
import type { Field } from './kinds.ts';

/** What {@link ErrorSummary} takes. */
export interface ErrorSummaryProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly fields: readonly Field[];
  readonly errors: ReadonlyMap<string, string>;
  readonly onPick: (path: string) => void;
}

/** What keeps a form from being sent, with a way to each field. Takes the focus when a submit fails. */
export function ErrorSummary({ ref, fields, errors, onPick }: ErrorSummaryProps) {
  const titles = new Map(fields.map(({ name, title: said }) => [name, said]));
  const wrong = [...errors];
  const title = wrong.length === 1 ? t('1 field to fix') : t('{0} fields to fix', wrong.length);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group that is focused to be read out; a fieldset is for controls
    <div ref={ref} className="banner banner-error" role="group" aria-label={title} tabIndex={-1}>
      <Codicon name="error" />
      <div>
        <p className="banner-title">{title}</p>
        <ul className="error-list">
          {wrong.map(([path, error]) => {
            const name = titles.get(topOf(path)) ?? path;
            const isNamed = error.startsWith(name);
            return (
              <li key={path}>
                <button type="button" className="link" onClick={() => onPick(path)}>
                  {isNamed ? error.replace(/[.。]$/, '') : name}
                </button>
                {!isNamed && `: ${error}`}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
