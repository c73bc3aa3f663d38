import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { plainLine } from '../../src/core/messages/plain-line.ts';
import { readableName } from '../../src/core/messages/readable-name.ts';
import { maskOf } from '../../src/core/messages/secrets/mask-secrets.ts';
import { copy, isJsonObject } from '../../src/panel-port/index.ts';
import { fieldsOf, typedIn } from '../form/kinds.ts';
import { rawIn } from '../form/use-form.ts';
import { hasFormOf, isToTell } from '../page/keep-unsent.ts';
import { usePage, usePageState } from '../page/page-context.ts';
import type { Unsent } from '../page/unsent.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { t } from '../parts/l10n.ts';

/** So much of a text is shown; Copy takes all of it. */
const MOST_SHOWN = 2_000;

/** What was put into questions that went away before it was sent, until the person has no use for it. */
export function UnsentNotices() {
  const { unsent, snapshot } = usePageState();
  return unsent
    .filter((one) => snapshot && isToTell(snapshot, one))
    .map((one) => <UnsentNotice key={one.id} one={one} />);
}

function UnsentNotice({ one }: { one: Unsent }) {
  const page = usePage();
  const stage = usePageState().snapshot?.head.stage;
  const fits = stage?.kind === 'question' && hasFormOf(stage.question, one);
  const texts = textsOf(one);
  if (texts.length === 0) return null;
  const whole = () =>
    texts.length === 1
      ? (texts[0]?.text ?? '')
      : texts.map(({ title, text }) => `${title}: ${text}`).join('\n');
  return (
    <Banner kind="info" news title={t('Not sent: your draft for question {0}', one.number)}>
      <p className="muted" dir="auto">
        {plainLine(one.message)}
      </p>
      <dl className="unsent">
        {texts.map(({ name, title, shown }) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd dir="auto">{shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown}</dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        {fits && (
          <Button secondary onClick={() => page.fillIn(one)}>
            {t('Insert')}
          </Button>
        )}
        <Button secondary onClick={() => page.post(copy({ text: whole() }))}>
          {t('Copy')}
        </Button>
        <Button secondary onClick={() => page.forgetUnsent(one)}>
          {t('Dismiss')}
        </Button>
      </div>
    </Banner>
  );
}

interface UnsentText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** The same, without what is a secret by its name. */
  readonly shown: string;
}

/** What was put into the fields of a form, as far as the page knows which they are, and the texts of views. */
function textsOf({ schema, drafts: { form, ...views } }: Unsent): UnsentText[] {
  const raw = rawIn(form);
  const fields = fieldsOf({ ...schema }).filter(({ name }) => raw[name] !== undefined);
  const titles = new Map(fields.map(({ name, title }) => [name, title]));
  const texts = Object.entries({ ...raw, ...views }).flatMap(([key, value]) =>
    titles.has(key) || typeof value !== 'string' ? [] : [[key.slice(key.lastIndexOf(' ') + 1), value]],
  );
  const typed: JsonObject = { ...typedIn(fields, raw), ...Object.fromEntries(texts) };
  const masked = maskOf([])(typed);
  return Object.entries(typed).flatMap(([name, value]) => {
    const text = textOf(value);
    const title = titles.get(name) ?? readableName(name);
    return text === '' ? [] : [{ name, title, text, shown: textOf(masked[name]) }];
  });
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)
    ? ''
    : JSON.stringify(value);
}
