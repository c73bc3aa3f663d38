import { type CallInfo, type StageOf, stop, submitParams } from '../../src/panel-port/index.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { usePage, usePageState } from '../page/page-context.ts';
import { askingOf, concerns } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Text } from '../parts/text.tsx';

/** Run Tool…: the parameters, in the form that questions use. */
export function ParametersStage({ stage, call }: { stage: StageOf<'parameters'>; call: CallInfo }) {
  const page = usePage();
  const { pending, refusal } = usePageState();
  const locked = pending !== undefined && pending === askingOf(stage);
  return (
    <>
      <h2 className="visually-hidden" id="stage-title">
        {t('Parameters')}
      </h2>
      {call.description && <Description>{call.description}</Description>}
      {stage.notice && (
        <Banner kind="warning">
          <Text>{stage.notice}</Text>
        </Banner>
      )}
      {stage.problem && (
        <Banner kind="warning" title={t('The tool does not take these')}>
          <Text>{stage.problem}</Text>
        </Banner>
      )}
      {refusal && concerns(stage, refusal.target) && (
        <Banner kind="error">
          <Text>{refusal.message}</Text>
        </Banner>
      )}
      <div className="card">
        <SchemaForm
          schema={stage.schema}
          values={stage.values}
          scope={`form ${stage.formId}`}
          submitLabel={t('Run')}
          pending={locked}
          onSubmit={(values) => page.answer(submitParams({ formId: stage.formId, values }))}
        >
          <Button secondary disabled={locked} onClick={() => page.answer(stop({}))}>
            {t('Cancel')}
          </Button>
        </SchemaForm>
      </div>
    </>
  );
}

/** Longer than this, a description is for the model: a person reads how it begins. */
const HEADLINE = 160;

function Description({ children }: { children: string }) {
  const end = children.length > HEADLINE ? /[.!?](?=\s)|\n/.exec(children)?.index : undefined;
  const rest = end === undefined ? '' : children.slice(end + 1).trim();
  return (
    <>
      <div className="stage-message">
        <Markdown>{end === undefined ? children : children.slice(0, end + 1).trim()}</Markdown>
      </div>
      {rest && (
        <details className="disclosure">
          <summary>{t('More about this tool')}</summary>
          <Markdown>{rest}</Markdown>
        </details>
      )}
    </>
  );
}
