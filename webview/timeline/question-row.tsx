import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { brief } from '../../src/core/messages/params-summary.ts';
import { plainLine } from '../../src/core/messages/plain-line.ts';
import { readableName } from '../../src/core/messages/readable-name.ts';
import { durationText, goBack, isAnsweredState, minuteText, type RowOf } from '../../src/panel-port/index.ts';
import { ownWords } from '../form/field/field.ts';
import { type Field, fieldsOf, rawOf } from '../form/kinds.ts';
import { usePage, usePageState } from '../page/page-context.ts';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Text } from '../parts/text.tsx';
import { Line } from './line.tsx';

const states = () => ({
  open: { icon: 'comment-unresolved', label: t('asked') },
  accept: { icon: 'comment', label: t('answered') },
  decline: { icon: 'thumbsdown', label: t('declined') },
  cancel: { icon: 'close', label: t('cancelled') },
  reply: { icon: 'comment-discussion', label: t('replied') },
  withdrawn: { icon: 'discard', label: t('skipped') },
  failed: { icon: 'error', label: t('failed') },
  taken_back: { icon: 'discard', label: t('changed') },
});

/** A question, folded to one line; open, it shows the whole message and the answer. */
export function QuestionRow({ row }: { row: RowOf<'question'> }) {
  const { icon, label } = states()[row.state];
  const answer = row.content && answerLine(row, row.content);
  const how =
    row.kept !== undefined
      ? t('kept from {0}', minuteText(row.kept, row.time))
      : row.closedAt === undefined
        ? label
        : t('{0} after {1}', label, durationText(row.closedAt - row.time));
  const line = (
    <Line icon={icon}>
      {answer && (
        <>
          <bdi>{answer}</bdi>{' '}
        </>
      )}
      <span className={answer && 'muted'}>{how}:</span> <FirstLine>{row.message}</FirstLine>
    </Line>
  );
  if (row.state === 'open') return line;
  return (
    <details className="folded">
      <summary>{line}</summary>
      <div className="folded-body">
        <div>
          <Markdown>{row.message}</Markdown>
        </div>
        {row.error && <p className="field-error">{row.error}</p>}
        {row.content && <Answer row={row} content={row.content} />}
        <Change row={row} />
      </div>
    </details>
  );
}

/** The way back to a question that was answered, while its call runs. */
function Change({ row }: { row: RowOf<'question'> }) {
  const page = usePage();
  const { snapshot } = usePageState();
  const status = snapshot?.head.call.status;
  const answered = isAnsweredState(row.state) && row.id.startsWith('elicit-');
  if (!answered || (status !== 'running' && status !== 'waiting')) return null;
  return (
    <button type="button" className="link" onClick={() => page.post(goBack({ to: row.id }))}>
      {t('Change…')}
    </button>
  );
}

/** What was answered, for the beginning of the line: which field it is in, where that is not all that there is to say. */
function answerLine(row: RowOf<'question'>, content: JsonObject): string {
  const fields = new Map(fieldsOf({ ...row.schema }).map((field) => [field.name, field]));
  const answers = Object.entries(content).map(([name, value]) => ({
    title: fields.get(name)?.title ?? readableName(name),
    text: answerText(fields.get(name), value),
  }));
  const [first] = answers;
  if (first && answers.length === 1) return `${first.title} → ${brief(first.text)}`;
  return brief(answers.map(({ text }) => text).join(', '));
}

function FirstLine({ children }: { children: string }) {
  return (
    <span className="muted" dir="auto">
      {plainLine(children)}
    </span>
  );
}

function Answer({ row, content }: { row: RowOf<'question'>; content: JsonObject }) {
  const fields = new Map(fieldsOf({ ...row.schema }).map((field) => [field.name, field]));
  const entries = Object.entries(content);
  if (entries.length === 0) return <p className="muted">{t('Nothing was inserted.')}</p>;
  return (
    <table className="record">
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{fields.get(name)?.title ?? readableName(name)}</th>
            <td>
              <Text>{answerText(fields.get(name), value)}</Text>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An answer in the words of its form: choices by their titles. */
function answerText(field: Field | undefined, value: JsonValue | undefined): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (!isPlainAnswer(value)) return JSON.stringify(value);
  const ids = [field ? rawOf(field, value) : value].flat();
  const titles =
    field && 'choices' in field ? new Map(field.choices.map(({ id, title }) => [id, title])) : undefined;
  const text = ids.map((id) => titles?.get(String(id)) ?? ownWords(id) ?? String(id)).join(', ');
  return text === '' ? '—' : text;
}

function isPlainAnswer(value: JsonValue | undefined): boolean {
  return [value].flat().every((one) => typeof one !== 'object');
}
