import { type CallInfo, type StageOf, stop, submitParams } from '../../src/panel-port/index.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { usePage, usePageState } from '../page/page-context.ts';
import { askingOf, concerns } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { t } from '../parts/l10n.ts';
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
      {call.description && (
        <p className="stage-message">
          <Text>{call.description}</Text>
        </p>
      )}
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
          <vscode-button secondary disabled={locked} onClick={() => page.answer(stop({}))}>
            {t('Cancel')}
          </vscode-button>
        </SchemaForm>
      </div>
    </>
  );
}
