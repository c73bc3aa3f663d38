import { type CallInfo, type StageOf, stop, submitParams } from '../../src/panel-port/index.ts';
import { ParametersForm } from '../form/parameters-form.tsx';
import { usePage, usePageState } from '../page/page-context.ts';
import { askingOf, concerns } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Text } from '../parts/text.tsx';

/** Run Tool…: the parameters, in the form that questions use, or as JSON. */
export function ParametersStage({ stage, call }: { stage: StageOf<'parameters'>; call: CallInfo }) {
  const page = usePage();
  const { pending, refusal } = usePageState();
  const locked = pending !== undefined && pending === askingOf(stage);
  return (
    <>
      <h2 className="visually-hidden" id="stage-title">
        {t('Parameters')}
      </h2>
      <Description {...call} />
      {stage.notice && (
        <Banner kind="warning" news>
          <Text>{stage.notice}</Text>
        </Banner>
      )}
      {stage.problem && (
        <Banner kind="warning" title={t('Unknown parameters')}>
          <Text>{stage.problem}</Text>
        </Banner>
      )}
      {refusal && concerns(stage, refusal.target) && (
        <Banner kind="error" news>
          <Text>{refusal.message}</Text>
        </Banner>
      )}
      <div className="card">
        <ParametersForm
          schema={stage.schema}
          values={stage.values}
          scope={`form ${stage.formId}`}
          submitLabel={stage.debugged ? t('Debug') : t('Run')}
          pending={locked}
          onSubmit={(values) => page.answer(submitParams({ formId: stage.formId, values }))}
        >
          <Button secondary disabled={locked} onClick={() => page.answer(stop({}))}>
            {t('Cancel')}
          </Button>
        </ParametersForm>
      </div>
    </>
  );
}

/** Longer than this, a description is for the model: a person reads how it begins. */
const HEADLINE = 160;

/** A sentence for people, and behind it what models are told; where there is none, how that begins. */
function Description({ summary, description = '' }: Pick<CallInfo, 'summary' | 'description'>) {
  const [headline, rest] = summary === undefined ? begun(description) : [summary, description];
  return (
    <>
      {headline && (
        <div className="stage-message">
          <Markdown>{headline}</Markdown>
        </div>
      )}
      {rest && (
        <details className="disclosure">
          <summary>{t('More about this tool')}</summary>
          <Markdown>{rest}</Markdown>
        </details>
      )}
    </>
  );
}

function begun(text: string): readonly [string, string] {
  const end = text.length > HEADLINE ? /[.!?](?=\s)|\n/.exec(text)?.index : undefined;
  return end === undefined ? [text, ''] : [text.slice(0, end + 1).trim(), text.slice(end + 1).trim()];
}
