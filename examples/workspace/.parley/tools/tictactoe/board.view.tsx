import type { ViewProps } from 'parley-mcp/webview';
import { type KeyboardEvent, useRef, useState } from 'react';
import { at, type Board, CELLS, type Cell, freeCells, type Outcome, winningLine } from './board.ts';
import './board.css';

/** A position, what the model said about it, and how the game ended if it has. Responds with the cell of a move. */
export type BoardViewProps = ViewProps<
  {
    readonly board: Board;
    readonly remark?: string | undefined;
    readonly outcome?: Outcome | undefined;
  },
  Cell
>;

const ENDINGS = { user_won: 'You won', model_won: 'The model won', draw: 'A draw' };
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 };

/** The board. Arrow keys walk over it, Enter or Space makes the move. */
export function BoardView({ board, remark, outcome, onRespond }: BoardViewProps) {
  const [here, setHere] = useState<Cell>(() => freeCells(board)[0] ?? 'a1');
  const cells = useRef(new Map<Cell, HTMLButtonElement | null>());
  const line = winningLine(board);
  const over = outcome !== undefined;

  const onKeyDown = (event: KeyboardEvent) => {
    const there = CELLS[CELLS.indexOf(here) + (STEPS[event.key] ?? 0)];
    if (there === undefined || there === here || wraps(event.key, here, there)) return;
    event.preventDefault();
    cells.current.get(there)?.focus();
  };

  return (
    <div className="game">
      {/* There before the model has said something, so that the board keeps its place. */}
      <p className="game-remark">{remark && `“${remark}”`}</p>
      <fieldset className="game-board" aria-label="Board" onKeyDown={onKeyDown}>
        {CELLS.map((cell) => {
          const mark = at(board, cell);
          return (
            <button
              key={cell}
              ref={(element) => void cells.current.set(cell, element)}
              type="button"
              className={`game-cell game-${mark === '-' ? 'free' : mark} ${line?.includes(cell) ? 'game-won' : ''}`}
              tabIndex={cell === here ? 0 : -1}
              aria-label={`${cell}, ${mark === '-' ? 'empty' : mark}`}
              aria-disabled={over || mark !== '-'}
              onFocus={() => setHere(cell)}
              onClick={() => !over && mark === '-' && onRespond(cell)}
            >
              <Mark mark={mark} />
            </button>
          );
        })}
      </fieldset>
      {over && <p className="game-end">{ENDINGS[outcome]}</p>}
    </div>
  );
}

/** Whether a step to the left or right would end in another row. */
function wraps(key: string, from: Cell, to: Cell): boolean {
  return (key === 'ArrowLeft' || key === 'ArrowRight') && from[1] !== to[1];
}

function Mark({ mark }: { readonly mark: Board[number] }) {
  return (
    <svg className="game-mark" viewBox="0 0 24 24" aria-hidden="true">
      {mark === 'X' && <path d="M5 5l14 14M19 5L5 19" />}
      {mark === 'O' && <circle cx="12" cy="12" r="7.5" />}
    </svg>
  );
}
