import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { focusControl } from '../../parts/focus.ts';
import { Codicon } from '../../parts/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { t } from '../../parts/l10n.ts';
import type { Raw } from '../field/field.ts';
import type { ControlHead } from './control.ts';

/** What {@link Rows} takes. */
export interface RowsProps {
  readonly head: ControlHead;
  readonly title: string;
  readonly rows: readonly Raw[];
  readonly blank: Raw;
  readonly most?: number | undefined;
  readonly disabled: boolean;
  readonly draw: (row: Raw, at: number) => ReactNode;
  readonly onChange: (rows: readonly Raw[]) => void;
  /** What a pasted text becomes, where each of its lines can be a row. */
  readonly split?: (text: string) => readonly Raw[];
}

/**
 * Rows to fill in, add and take away. In a row of text Enter adds the next, Backspace takes an empty one away, and a paste
 * of several lines becomes several rows.
 */
export function Rows({ head, title, rows, blank, most, disabled, draw, onChange, split }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  /** The row that gets the keyboard, once there are so many. */
  const next = useRef<{ readonly at: number; readonly rows: number }>(undefined);
  const full = most !== undefined && rows.length >= most;

  // Before the browser goes on: the release of a quick click would be drawn first, without the row.
  useLayoutEffect(() => {
    if (next.current === undefined || next.current.rows !== rows.length) return;
    const row = list.current?.querySelectorAll(':scope > .list-row')[next.current.at];
    focusControl(row?.querySelector('[data-control]') ?? list.current?.querySelector(':scope > .list-add'));
    next.current = undefined;
  });

  const put = (at: number, taken: number, ...fresh: readonly Raw[]): void => {
    const all = [...rows.slice(0, at), ...fresh, ...rows.slice(at + taken)];
    next.current = { at: fresh.length > 0 ? at + fresh.length - 1 : Math.max(0, at - 1), rows: all.length };
    onChange(all);
  };

  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && target.value !== '' && !full) put(at + 1, 0, blank);
    else if (event.key === 'Backspace' && target.value === '' && rows[at] === '') put(at, 1);
    else return;
    event.preventDefault();
    // The list that this one is a row of would hear of it, too.
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: its legend is the label of the row it is in
    <div className="list" role="group" tabIndex={-1} ref={list} {...head}>
      {rows.map((row, at) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: listens to what bubbles up from the control
        <div
          className="list-row"
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; its control holds nothing of its own
          key={at}
          onKeyDown={(event) => onKeyDown(event, at)}
          onPaste={(event) => {
            const lines = split?.(event.clipboardData.getData('text')) ?? [];
            if (lines.length < 2) return;
            event.preventDefault();
            event.stopPropagation();
            put(at, row === '' ? 1 : 0, ...(row === '' ? [] : [row]), ...lines);
          }}
        >
          {draw(row, at)}
          <IconButton
            icon="close"
            label={t('Remove {0} {1}', title, at + 1)}
            disabled={disabled}
            onClick={() => put(at, 1)}
          />
        </div>
      ))}
      <button
        type="button"
        className="list-add"
        disabled={disabled || full}
        onClick={() => put(rows.length, 0, blank)}
      >
        <Codicon name="add" /> {t('Add')} <span className="visually-hidden">{title}</span>
      </button>
    </div>
  );
}
