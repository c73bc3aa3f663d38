import type { FormProperty } from '../../../core/form/form-schema.ts';
import type { QuestionReply } from '../../../panel/inbox.ts';
import type { Question } from '../../../panel-port/index.ts';
import type { Translate } from './explain.ts';
import { noticeText } from './notice-text.ts';

/** An answer that is one button of a notification. */
export interface QuickAnswer {
  readonly label: string;
  readonly reply: QuestionReply;
}

/** Three buttons and the one that opens the panel are what a notification has room for. */
const MOST = 3;
/** A label that needs more is read in the panel. */
const LONGEST_LABEL = 40;

/**
 * The answers to a question that can be given in a notification: it shows all that there is to see of it, and there are few. None for
 * every other question, and for those that Parley itself asks: what is approved is looked at first.
 */
export function quickAnswers(
  { body, message, context, problem, notice, key }: Question,
  t: Translate,
): readonly QuickAnswer[] {
  const isPlain = noticeText(message) === message && context === undefined && !problem && !notice;
  if (body.kind !== 'form' || !isPlain || key === 'approval') return [];
  const [field, ...more] = Object.entries(body.schema.properties);
  if (more.length > 0) return [];
  if (!field) {
    return [
      { label: t('Yes'), reply: { action: 'accept', content: {} } },
      { label: t('No'), reply: { action: 'decline' } },
    ];
  }
  const [name, property] = field;
  const choices = choicesOf(property, t);
  const labels = new Set(choices.map(({ label }) => label));
  const fits = choices.every(({ label }) => label.length <= LONGEST_LABEL && noticeText(label) === label);
  if (!fits || labels.size < choices.length || choices.length > MOST) return [];
  return choices.map(({ label, value }) => ({
    label,
    reply: { action: 'accept', content: { [name]: value } },
  }));
}

interface Choice {
  readonly label: string;
  readonly value: string | boolean;
}

function choicesOf(property: FormProperty, t: Translate): readonly Choice[] {
  // What is said beside a field or a choice has no place on a button.
  if (property.description !== undefined) return [];
  if (property.type === 'boolean') {
    return [
      { label: t('Yes'), value: true },
      { label: t('No'), value: false },
    ];
  }
  if ('oneOf' in property) {
    if (property.oneOf.some(({ description, preview }) => description ?? preview)) return [];
    return property.oneOf.map(({ const: value, title }) => ({ label: title, value }));
  }
  if (!('enum' in property)) return [];
  return property.enum.map((value, at) => ({ label: property.enumNames?.[at] ?? value, value }));
}
