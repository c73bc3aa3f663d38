import {
  type CallInfo,
  openLogs,
  pressAction,
  type RenderedView,
  type StageOf,
  stopReasons,
} from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { Button } from '../parts/button.tsx';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
import { ContentBlocks } from '../value/content-blocks.tsx';
import { TakeButtons } from '../value/take-buttons.tsx';
import { ValueView } from '../value/value-view.tsx';
import { ShownView } from '../views/rendered-view.tsx';
import { Failure } from './failure.tsx';

type End = StageOf<'result'> | StageOf<'error'> | StageOf<'aborted'>;

/** What came of the call, in the question's place, and the view that it still shows. */
export function EndStage({
  stage,
  call,
  shown,
}: {
  stage: End;
  call: Pick<CallInfo, 'title'>;
  shown: RenderedView | undefined;
}) {
  return (
    <>
      {stage.kind === 'result' && !shown && <Result stage={stage} />}
      {stage.kind === 'error' && <Failure error={stage.error} />}
      {stage.kind === 'aborted' && (
        <>
          <h2 className="stage-overline" id="stage-title">
            {t('Stopped')}
          </h2>
          <p className="stage-message">
            <Text>{reasonOf(stage.reason) ?? t('{0} was stopped before it was done.', call.title)}</Text>
          </p>
        </>
      )}
      {shown && (
        <div className="card">
          <ShownView rendered={shown} scope="" />
        </div>
      )}
      {/* What a view shows at last is what came of it: the data behind it is folded. What is text is there to be read. */}
      {stage.kind === 'result' && shown && isText(stage) && <Result stage={stage} />}
      {stage.kind === 'result' && shown && !isText(stage) && (
        <details className="disclosure result-folded">
          <summary>{t('Result')}</summary>
          <Result stage={stage} />
        </details>
      )}
      <Actions stage={stage} />
    </>
  );
}

function isText({ value, blocks }: StageOf<'result'>): boolean {
  return blocks ? blocks.every(({ type }) => type === 'text') : typeof value === 'string';
}

function Result({ stage }: { stage: StageOf<'result'> }) {
  if (stage.notKept) {
    return (
      <>
        <h2 className="stage-overline" id="stage-title">
          {t('Result')}
        </h2>
        <p className="stage-message">
          {t('Not saved: the result was too long, or the window closed too soon.')}
        </p>
      </>
    );
  }
  return (
    <>
      <div className="stage-head">
        <h2 className="stage-overline" id="stage-title">
          {t('Result')}
        </h2>
        <TakeButtons stage={stage} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="card result" aria-label={t('Result')} tabIndex={0}>
        {stage.blocks && stage.blocks.length > 0 ? (
          <ContentBlocks blocks={stage.blocks} />
        ) : (
          <ValueView value={stage.value} />
        )}
      </section>
    </>
  );
}

function Actions({ stage }: { stage: End }) {
  const page = usePage();
  return (
    <div className="buttons">
      {stage.actions?.map((action) => (
        <Button
          key={action.id}
          secondary={!action.primary}
          onClick={() => page.post(pressAction({ id: action.id }))}
        >
          {action.label}
        </Button>
      ))}
      {stage.kind !== 'result' && !page.outside && (
        <Button secondary onClick={() => page.post(openLogs({}))}>
          {t('Show Log')}
        </Button>
      )}
    </div>
  );
}

/** Why it was stopped, as a person is told. */
function reasonOf(reason: string | undefined): string | undefined {
  switch (reason) {
    case stopReasons.byPerson:
      return t('Stopped by you.');
    case stopReasons.byAgent:
      return t('The agent was stopped.');
    case stopReasons.byCaller:
    case stopReasons.byClient:
      return t('Stopped by the caller.');
    default:
      return reason;
  }
}
