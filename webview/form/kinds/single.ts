import { keywordsOf } from '../../../src/core/form/field-kind.ts';
import { t } from '../../parts/l10n.ts';
import { choicesOf, idOfChoice } from '../controls/choices/choice.ts';
import { SingleControl, type SingleField } from '../controls/choices/single-control.tsx';
import { emptied, right } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { OWN, ownWords } from '../field/field.ts';
import { isBoolean } from '../field/is.ts';

/** One of some choices. */
export const singleField: ControlKind<SingleField> = {
  of(schema) {
    const choices = choicesOf(schema);
    return choices && { kind: 'single', choices, ...keywordsOf(schema, isBoolean, 'other') };
  },
  raw: ({ choices, other }, value) =>
    idOfChoice(choices, value) ?? (other && typeof value === 'string' ? OWN + value : undefined),
  check(field, raw) {
    const chosen = field.choices.find((choice) => choice.id === raw);
    const own = field.other ? ownWords(raw)?.trim() : undefined;
    if (own) return right(own);
    return chosen ? right(chosen.value) : emptied(field, t('Choose one.'));
  },
  Control: SingleControl,
};
