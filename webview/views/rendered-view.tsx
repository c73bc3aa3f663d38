import { useEffect, useMemo, useState } from 'react';
import { isJson, type RenderedView, viewCrashed, viewResponse } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { Banner } from '../parts/banner.tsx';
import { t } from '../parts/l10n.ts';
import { Text } from '../parts/text.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { DraftScope } from './use-draft.ts';
import type { ViewComponent } from './view-registry.ts';

/** A view whose answer the handler waits for. */
export function AnswerView({
  rendered,
  scope,
  locked,
  onMounted,
}: {
  rendered: RenderedView;
  scope: string;
  /** An answer is on its way: the view stays in sight and takes no more. */
  locked: boolean;
  onMounted: () => void;
}) {
  const page = usePage();
  const { renderId } = rendered;
  const respond = (value: unknown): void => {
    if (!isJson(value)) throw new TypeError('A view responded with something that is not JSON.');
    page.answer(viewResponse({ renderId, value }));
  };
  return (
    <div inert={locked}>
      <ViewFrame key={renderId} rendered={rendered} scope={scope} onRespond={respond} onMounted={onMounted} />
    </div>
  );
}

/** A view that is only shown. Renderings of one view follow each other as updates, not as new views. */
export function ShownView({ rendered, scope }: { rendered: RenderedView; scope: string }) {
  return <ViewFrame key={rendered.view.key} rendered={rendered} scope={scope} />;
}

interface ViewFrameProps {
  readonly rendered: RenderedView;
  readonly scope: string;
  readonly onRespond?: (value: unknown) => void;
  readonly onMounted?: () => void;
}

function ViewFrame({ rendered, scope, onRespond, onMounted }: ViewFrameProps) {
  const page = usePage();
  const { view, renderId, props } = rendered;
  const [component, setComponent] = useState<{ view: ViewComponent } | undefined>(() => {
    const known = page.views.lookup(view.key);
    return known && { view: known };
  });
  // A frame outlives its rendering when a view is only shown; the next rendering gets its own chance.
  const [failure, setFailure] = useState<{ renderId: string; error: Error }>();

  const fail = (thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    setFailure({ renderId, error });
    const { name, message, stack } = error;
    page.post(
      viewCrashed({ renderId, error: stack === undefined ? { name, message } : { name, message, stack } }),
    );
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a frame lives for one view; `fail` reads what is current
  useEffect(() => {
    if (component) return;
    let gone = false;
    page.views.load(view).then(
      (loaded) => gone || setComponent({ view: loaded }),
      (error: unknown) => gone || fail(error),
    );
    return () => {
      gone = true;
    };
  }, [page.views, view.key, renderId]);

  const place = useMemo(
    () => ({ drafts: page.drafts, scope, view: view.key }),
    [page.drafts, scope, view.key],
  );
  if (failure?.renderId === renderId) return <ViewFailure error={failure.error} />;
  if (!component) return <p className="busy">{t('Loading view…')}</p>;
  const View = component.view;
  const answer = (value: unknown): void => {
    try {
      onRespond?.(value);
    } catch (error) {
      fail(error);
    }
  };
  return (
    <ErrorBoundary onError={fail}>
      <DraftScope value={place}>
        <div className="view">
          <View {...props} onRespond={answer} />
        </div>
        {onMounted && <Mounted onMounted={onMounted} />}
      </DraftScope>
    </ErrorBoundary>
  );
}

function Mounted({ onMounted }: { onMounted: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the view is there
  useEffect(onMounted, []);
  return null;
}

function ViewFailure({ error }: { error: Error }) {
  return (
    <Banner kind="error" title={t('The view of this question failed')}>
      <Text>{error.message}</Text>
    </Banner>
  );
}
