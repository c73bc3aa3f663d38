import type { Operation } from 'effection';
import { createMcpTool, isParleyError, type Message } from 'parley-mcp';
import * as z from 'zod';
import { drawn, EMPTY, type Outcome, outcomeOf, outcomeSchema, play } from './board.ts';
import { type GameContext, modelMove, questions, userMove } from './players.ts';

/** The user plays the model: one asks with `elicit`, the other with `sampleTools`, in one straight line. */
export const ticTacToe = createMcpTool('tictactoe')
  .description('Lets the user play tic-tac-toe against the model. Returns how it ended and the last board.')
  .parameters(
    z.object({
      first: z
        .enum(['user', 'model'])
        .default('user')
        .meta({ title: 'Who begins', enumNames: ['You', 'The model'] }),
    }),
  )
  .output(
    z.object({
      outcome: z.enum([...outcomeSchema.options, 'abandoned']),
      board: z.string(),
      comment: z.string().optional(),
    }),
  )
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Play tic-tac-toe')
  .icon('game')
  .requires({ elicitation: true, sampling: { tools: true } })
  .elicits(questions)
  .execute(function* ({ first }, ctx) {
    const talk: Message[] = [text('Let us play tic-tac-toe. I am X and you are O.')];
    let board = EMPTY;
    let remark: string | undefined;
    let outcome: Outcome | undefined;

    for (let users = first === 'user'; outcome === undefined; users = !users) {
      const move = users ? yield* userMove(board, remark, ctx) : yield* modelMove(board, talk, ctx);
      if (!move) return { outcome: 'abandoned' as const, board: drawn(board) };
      board = play(board, move.cell, users ? 'X' : 'O');
      remark = move.remark;
      talk.push(...move.messages);
      outcome = outcomeOf(board);
    }

    // Nobody has to answer this: the handler shows the board, and the game goes on to its last word.
    yield* ctx.elicit('gameOver', { message: 'The game is over', board, outcome });
    const comment = yield* lastWord(talk, outcome, ctx);
    return { outcome, board: drawn(board), ...(comment && { comment }) };
  });

/** What the model has to say in the end. A game that is over is over, whether it says something or not. */
function* lastWord(
  talk: readonly Message[],
  outcome: Outcome,
  ctx: GameContext,
): Operation<string | undefined> {
  const ending = { user_won: 'I won', model_won: 'You won', draw: 'It is a draw' }[outcome];
  try {
    const { text: said } = yield* ctx.sample({
      messages: [...talk, text(`${ending}. Say one friendly sentence about the game.`)],
      maxTokens: 100,
    });
    return said.trim();
  } catch (error) {
    if (!isParleyError(error)) throw error;
    yield* ctx.log('notice', `no last word: ${error.message}`);
    return undefined;
  }
}

function text(words: string): Message {
  return { role: 'user', content: { type: 'text', text: words } };
}
