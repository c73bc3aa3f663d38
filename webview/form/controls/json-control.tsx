import { t } from '../../parts/l10n.ts';
import type { JsonField } from '../field/field.ts';
import { skeletonOf } from '../field/skeleton-of.ts';
import { type ControlProps, shownText } from './control.ts';
import { TextArea } from './text-area.tsx';

/** JSON as text, for what no other control can express, with its shape to start from. */
export function JsonControl({ field, head, state, raw, onChange }: ControlProps<JsonField>) {
  const text = shownText(raw);
  const skeleton = JSON.stringify(skeletonOf(field.schema), null, 2);
  return (
    <>
      <TextArea
        {...head}
        {...state}
        className="input-mono"
        dir="ltr"
        rows={Math.min(12, Math.max(3, skeleton.split('\n').length))}
        spellCheck={false}
        placeholder={skeleton}
        value={text}
        onChange={onChange}
      />
      {text === '' && (
        <button
          type="button"
          className="link link-small"
          disabled={state.disabled}
          onClick={(event) => {
            onChange(skeleton);
            // The button goes away, and must not take the keyboard along.
            event.currentTarget.parentElement?.querySelector('textarea')?.focus();
          }}
        >
          {t('Insert Template')}
        </button>
      )}
    </>
  );
}
