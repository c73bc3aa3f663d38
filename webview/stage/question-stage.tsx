import { type KeyboardEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { asLabel } from '../../src/core/messages/label.ts';
import {
  answerForm,
  cancel,
  decline,
  goBack,
  openLogs,
  type Question,
  type RenderedView,
} from '../../src/panel-port/index.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { usePage, usePageState } from '../page/page-context.ts';
import { askingOf, concerns } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Codicon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
import { JsonTree } from '../value/json-tree.tsx';
import { PrimaryActionRow } from '../views/primary-action.tsx';
import { AnswerView, ShownView } from '../views/rendered-view.tsx';
import { PageCard } from './page-card.tsx';
import { QuestionMessage } from './question-message.tsx';
import { REPLY_DRAFT, ReplyBox } from './reply-box.tsx';

/** Characters of a tool's own word on the button: all of them in a narrow panel. */
const LONGEST_ACTION = 30;

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
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  // What was written before is in sight again.
  const [replies, setReplies] = useState(() => Boolean(page.drafts.read(scope, REPLY_DRAFT)));
  const replyButton = useRef<HTMLButtonElement>(null);
  /** Ctrl+Enter anywhere in a view, and Enter in a line, a tick or a radio button of it, press its main button. */
  const pressPrimary = (event: KeyboardEvent): void => {
    const presses = event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || !presses || event.nativeEvent.isComposing) return;
    const button = slot?.querySelector<HTMLButtonElement>('button[type="submit"]:not(:disabled)');
    if (!button) return;
    event.preventDefault();
    button.click();
  };

  const earlier = question.back;
  const refuse = (
    <>
      {earlier !== undefined && (
        <Button
          secondary
          className="button-back"
          disabled={locked}
          title={t('Go back to the previous question')}
          onClick={() => page.post(goBack({ to: earlier }))}
        >
          {t('Back')}
        </Button>
      )}
      {question.replies !== undefined && (
        <Button
          ref={replyButton}
          secondary
          className="button-quiet"
          disabled={locked}
          aria-expanded={replies}
          title={t('Write back without an answer')}
          onClick={() => setReplies(!replies)}
        >
          {t('Reply…')}
        </Button>
      )}
      {question.decline !== false && (
        <Button
          secondary
          className="button-quiet"
          disabled={locked}
          title={t('Answer no')}
          onClick={() => page.answer(decline({ questionId: id }))}
        >
          {t('Decline')}
        </Button>
      )}
      <Button
        secondary
        disabled={locked}
        title={t('Close the question without an answer')}
        onClick={() => page.answer(cancel({ questionId: id }))}
      >
        {t('Cancel')}
      </Button>
    </>
  );

  return (
    <>
      {/* That the only question is the first says nothing to the eye. */}
      <h2 className={question.number === 1 ? 'visually-hidden' : 'stage-overline'} id="stage-title">
        {question.number === 1 ? t('Question') : t('Question {0}', question.number)}
      </h2>
      {question.path && <p className="stage-overline">{t('Asked by {0}', question.path.join(' › '))}</p>}
      {/* A link in the message could lead elsewhere than the page that is asked about. */}
      {body.kind === 'page' ? (
        <div className="stage-message">
          <Text>{question.message}</Text>
        </div>
      ) : (
        <QuestionMessage>{question.message}</QuestionMessage>
      )}
      {question.attempt > 1 && (
        <Banner kind="warning" title={t('Answer again')}>
          {question.problem && <Text>{question.problem}</Text>}
        </Banner>
      )}
      {question.notice && (
        <Banner kind="info" news>
          <Text>{question.notice}</Text>{' '}
          {!page.outside && (
            <button type="button" className="link" onClick={() => page.post(openLogs({}))}>
              {t('Show Log')}
            </button>
          )}
        </Banner>
      )}
      {refusal && concerns(stage, refusal.target) && (
        <Banner kind="error" news>
          <Text>{refusal.message}</Text>
        </Banner>
      )}
      <div
        className="card"
        aria-busy={locked || body.kind === 'busy'}
        {...(body.kind === 'view' && { onKeyDown: pressPrimary })}
      >
        {body.kind === 'form' && (
          <SchemaForm
            schema={body.schema}
            scope={scope}
            submitLabel={asLabel(body.schema.action ?? '', LONGEST_ACTION) || t('Submit')}
            pending={locked}
            onSubmit={(content) =>
              page.answer(answerForm({ questionId: id, attempt: question.attempt, content }))
            }
          >
            {refuse}
          </SchemaForm>
        )}
        {body.kind === 'page' && (
          <PageCard
            body={body}
            locked={locked}
            onOpen={() => page.answer(answerForm({ questionId: id, attempt: question.attempt, content: {} }))}
          >
            {refuse}
          </PageCard>
        )}
        {body.kind === 'view' && (
          <PrimaryActionRow value={{ put: (button) => slot && createPortal(button, slot), locked }}>
            <AnswerView rendered={body} scope={scope} locked={locked} onMounted={onViewMounted} />
          </PrimaryActionRow>
        )}
        {body.kind === 'busy' && shown && <ShownView rendered={shown} scope={scope} />}
        {body.kind === 'busy' && (
          <p className="busy">
            <Codicon name="loading" className="codicon-modifier-spin" />{' '}
            {body.note ?? t('Preparing the question…')}
          </p>
        )}
        {body.kind !== 'form' && body.kind !== 'page' && (
          <div className="buttons">
            <span className="buttons-slot" ref={setSlot} />
            {refuse}
          </div>
        )}
      </div>
      {replies && question.replies !== undefined && (
        <ReplyBox
          scope={scope}
          locked={locked}
          onSend={(text) => {
            const content = { [question.replies ?? '']: text };
            page.answer(answerForm({ questionId: id, attempt: question.attempt, content }));
          }}
          onClose={() => {
            setReplies(false);
            replyButton.current?.focus();
          }}
        />
      )}
      {body.kind === 'form' && question.context !== undefined && (
        <details className="disclosure">
          <summary>{t('Context from the tool')}</summary>
          <JsonTree value={question.context} />
        </details>
      )}
    </>
  );
}
