import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { copy, type ResultFormat, resultText, type StageOf, takeResult } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { t } from '../parts/l10n.ts';
import { CopyButton } from './copy-button.tsx';
import { toClipboard } from './value-shape.ts';

const formats = (): readonly (readonly [ResultFormat, string])[] => [
  ['text', t('Text')],
  ['json', t('JSON')],
  ['markdown', t('Markdown')],
];

/** The ways to take a result along: copied, in an editor, in a file. */
export function TakeButtons({ stage }: { stage: StageOf<'result'> }) {
  const page = usePage();
  const { value, blocks } = stage;
  const has = blocks !== undefined && blocks.length > 0;
  const best: ResultFormat = has ? 'markdown' : typeof value === 'string' ? 'text' : 'json';
  return (
    <div className="take">
      <CopyButton text={() => (has ? resultText(stage, 'text') : toClipboard(value))} />
      <CopyAs onPick={(as) => page.post(copy({ text: resultText(stage, as) }))} />
      {!page.outside && (
        <>
          <IconButton
            icon="go-to-file"
            label={t('Open in Editor')}
            onClick={() => page.post(takeResult({ how: 'open', as: best }))}
          />
          <IconButton
            icon="save"
            label={t('Save As…')}
            onClick={() => page.post(takeResult({ how: 'save', as: best }))}
          />
        </>
      )}
    </div>
  );
}

/** A menu of formats. Arrows move in it, Escape and a press elsewhere close it. */
function CopyAs({ onPick }: { onPick: (as: ResultFormat) => void }) {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    menu.current?.querySelector('button')?.focus();
    const close = (event: Event): void => {
      if (event.target instanceof Node && !menu.current?.parentElement?.contains(event.target))
        setOpen(false);
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, [open]);

  const leave = (): void => {
    setOpen(false);
    menu.current?.parentElement?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') leave();
    if (event.key === 'Tab') setOpen(false);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    items.at((at + step) % items.length)?.focus();
  };

  return (
    <div className="menu-anchor">
      <IconButton
        icon="chevron-down"
        label={t('Copy As…')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div className="menu" role="menu" ref={menu} aria-label={t('Copy As…')} onKeyDown={onKeyDown}>
          {formats().map(([as, label]) => (
            <button
              type="button"
              role="menuitem"
              key={as}
              onClick={() => {
                onPick(as);
                leave();
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
