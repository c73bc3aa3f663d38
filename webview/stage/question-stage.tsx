import {
  answerForm,
  cancel,
  decline,
  openLogs,
  type Question,
  type RenderedView,
} from '../../src/panel-port/index.ts';
import { toFormContent } from '../form/form-content.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { usePage, usePageState } from '../page/page-context.ts';
import { askingOf, concerns } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { Icon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
import { JsonTree } from '../value/json-tree.tsx';
import { AnswerView, ShownView } from '../views/rendered-view.tsx';

/** What {@link QuestionStage} takes. */
export interface QuestionStageProps {
  readonly question: Question;
  readonly shown: RenderedView | undefined;
  /** The view is there; it may have come later than the question. */
  readonly onViewMounted: () => void;
}

/** A question: its message, what was wrong with the last answer, the form or the view, and the ways to say no. */
export function QuestionStage({ question, shown, onViewMounted }: QuestionStageProps) {
  const page = usePage();
  const { pending, refusal } = usePageState();
  const { body, id } = question;
  const stage = { kind: 'question', question } as const;
  const locked = pending !== undefined && pending === askingOf(stage);
  const scope = `question ${id}`;

  const refuse = (
    <>
      <vscode-button
        secondary
        disabled={locked}
        title={t('Answer no')}
        onClick={() => page.answer(decline({ questionId: id }))}
      >
        {t('Decline')}
      </vscode-button>
      <vscode-button
        secondary
        disabled={locked}
        title={t('Leave the question without an answer')}
        onClick={() => page.answer(cancel({ questionId: id }))}
      >
        {t('Cancel')}
      </vscode-button>
    </>
  );

  return (
    <>
      {/* That the only question is the first says nothing to the eye. */}
      <h2 className={question.number === 1 ? 'visually-hidden' : 'stage-overline'} id="stage-title">
        {question.number === 1 ? t('Question') : t('Question {0} of this call', question.number)}
      </h2>
      <p className="stage-message">
        <Text>{question.message}</Text>
      </p>
      {question.attempt > 1 && (
        <Banner kind="warning" title={t('Please answer again')}>
          {question.problem && <Text>{question.problem}</Text>}
        </Banner>
      )}
      {question.notice && (
        <Banner kind="info">
          <Text>{question.notice}</Text>{' '}
          <button type="button" className="link" onClick={() => page.post(openLogs({}))}>
            {t('Show Log')}
          </button>
        </Banner>
      )}
      {refusal && concerns(stage, refusal.target) && (
        <Banner kind="error">
          <Text>{refusal.message}</Text>
        </Banner>
      )}
      <div className="card" aria-busy={locked || body.kind === 'busy'}>
        {body.kind === 'form' && (
          <SchemaForm
            schema={body.schema}
            scope={scope}
            submitLabel={t('Submit')}
            pending={locked}
            onSubmit={(content) =>
              page.answer(
                answerForm({ questionId: id, attempt: question.attempt, content: toFormContent(content) }),
              )
            }
          >
            {refuse}
          </SchemaForm>
        )}
        {body.kind === 'view' && (
          <AnswerView rendered={body} scope={scope} locked={locked} onMounted={onViewMounted} />
        )}
        {body.kind === 'busy' && shown && <ShownView rendered={shown} scope={scope} />}
        {body.kind === 'busy' && (
          <p className="busy">
            <Icon name="loading" className="codicon-modifier-spin" />{' '}
            {body.note ?? t('Preparing the question…')}
          </p>
        )}
        {body.kind !== 'form' && <div className="buttons">{refuse}</div>}
      </div>
      {body.kind === 'form' && question.context !== undefined && (
        <details className="disclosure">
          <summary>{t('What the tool sent along')}</summary>
          <JsonTree value={question.context} />
        </details>
      )}
    </>
  );
}
