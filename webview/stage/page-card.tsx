import type { ReactNode } from 'react';
import type { QuestionBody } from '../../src/panel-port/index.ts';
import { Button } from '../parts/button.tsx';
import { Codicon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';

/** What {@link PageCard} takes. */
export interface PageCardProps {
  readonly body: Extract<QuestionBody, { kind: 'page' }>;
  readonly locked: boolean;
  /** The ways to say no. */
  readonly children: ReactNode;
  onOpen(): void;
}

/** A page that the person is asked to open: who asks, the whole address with its host in plain letters, and the choice. */
export function PageCard({ body, locked, children, onOpen }: PageCardProps) {
  const { asker, url } = body;
  const { protocol, host, pathname, search, hash } = new URL(url);
  return (
    <>
      <p className="page-asker">{t('“{0}” asks you to open this page in your browser:', asker)}</p>
      <p className="page-address" dir="ltr">
        {`${protocol}//`}
        <strong>{host}</strong>
        {`${pathname}${search}${hash}`}
      </p>
      <p className="page-note">
        {t('Your data on that page goes to {0}. Open it only if you expect this request.', host)}
      </p>
      <div className="buttons">
        <Button disabled={locked} onClick={onOpen}>
          <Codicon name="link-external" />
          {t('Open Page')}
        </Button>
        {children}
      </div>
    </>
  );
}
