import { type ReactNode, useState } from 'react';
import { t } from '../../../parts/l10n.ts';
import type { ControlHead } from '../control.ts';
import type { Choice } from './choice.ts';
import { ChoicePreview } from './choice-preview.tsx';

/** What {@link Options} takes. */
export interface OptionsProps {
  readonly type: 'radio' | 'checkbox';
  readonly choices: readonly Choice[];
  readonly head: ControlHead;
  readonly disabled: boolean;
  readonly isChosen: (id: string) => boolean;
  readonly onPick: (id: string) => void;
  /** What stands at the end of an option. */
  readonly beside?: (id: string) => ReactNode;
}

/** Choices below each other or in a row, each with what helps to choose it; previews stand beside them. */
export function Options({ type, choices, head, disabled, isChosen, onPick, beside }: OptionsProps) {
  const [looked, setLooked] = useState<string>();
  const shown =
    choices.find(({ id, preview }) => preview && id === looked) ??
    choices.find(({ id, preview }) => preview && isChosen(id)) ??
    choices.find(({ preview }) => preview);
  const options = choices.map(({ id, title, description, recommended }) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at an option shows its preview, as the keyboard in it does
    <div className="option-line" key={id} onPointerEnter={() => setLooked(id)} onFocus={() => setLooked(id)}>
      <label className="option">
        <input
          type={type}
          {...(type === 'radio' && { name: head.id })}
          checked={isChosen(id)}
          disabled={disabled}
          onChange={() => onPick(id)}
        />
        <span>
          <span dir="auto">{title}</span>
          {recommended && <span className="p-badge option-badge">{t('Recommended')}</span>}
          {description && <span className="option-help">{description}</span>}
        </span>
      </label>
      {beside?.(id)}
    </div>
  ));
  return shown?.preview ? (
    <div className="options-beside">
      <div className="options">{options}</div>
      {/* Each where it is shown, so that the room is that of the tallest: what is below never moves while one looks around. */}
      <div className="previews">
        {choices.map(({ id, title, preview }) =>
          preview ? (
            <ChoicePreview key={id} title={title} preview={preview} hidden={id !== shown.id} />
          ) : null,
        )}
      </div>
    </div>
  ) : (
    options
  );
}
