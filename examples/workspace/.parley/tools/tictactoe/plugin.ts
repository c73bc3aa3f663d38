import { makePlugin } from 'parley-mcp';
import { play } from './board.ts';
import { BoardView } from './board.view.tsx';
import { ticTacToe } from './tool.ts';

/** How the editor asks for a move, and shows the board when nothing is to be asked. */
export const ticTacToePlugin = makePlugin(ticTacToe)
  .onElicit({
    *makeMove({ board, remark }, ctx) {
      const cell = yield* ctx.render(BoardView, { board, remark });
      // `show` does not wait: the move can be seen while the model thinks.
      yield* ctx.show(BoardView, { board: play(board, cell, 'X') });
      return { action: 'accept', content: { cell } };
    },
    *gameOver({ board, outcome }, ctx) {
      yield* ctx.show(BoardView, { board, outcome });
      return { action: 'accept', content: {} };
    },
  })
  .build();
