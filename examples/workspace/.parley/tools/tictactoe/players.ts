import type { Operation } from 'effection';
import type { Message, ToolContext } from 'parley-mcp';
import * as z from 'zod';
import { type Board, boardSchema, CELLS, type Cell, freeCells, outcomeSchema } from './board.ts';

/** What the tool asks the user. The last one asks nothing: its handler shows the board and answers for the user. */
export const questions = {
  makeMove: {
    response: z.object({ cell: z.enum(CELLS).meta({ title: 'Cell', description: 'Column and row' }) }),
    context: z.object({ board: boardSchema, remark: z.string().optional() }),
  },
  gameOver: {
    response: z.object({}),
    context: z.object({ board: boardSchema, outcome: outcomeSchema }),
  },
};

/** Through what the game talks. */
export type GameContext = ToolContext<typeof questions>;

/** A move, and the messages by which the model will know of it. */
export interface Move {
  readonly cell: Cell;
  readonly remark?: string | undefined;
  readonly messages: readonly Message[];
}

/** A surface without our board lets people pick taken cells: how often to ask for a free one. */
const TRIES = 3;

/** The user's move; `undefined` when the user has had enough. */
export function* userMove(
  board: Board,
  remark: string | undefined,
  ctx: GameContext,
): Operation<Move | undefined> {
  let message = 'Your move: you are X';
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = yield* ctx.elicit('makeMove', { message, board, remark });
    if (answer.action !== 'accept') return undefined;
    const { cell } = answer.content;
    // The exchange shows the model that it asked with this board, and what the user answered.
    if (freeCells(board).includes(cell)) return { cell, messages: answer.exchange.messages };
    message = `${cell} is taken. Your move: you are X`;
  }
  return undefined;
}

/** The model's move. Only free cells fit the schema, so a model that cheats is told so and asked again. */
export function* modelMove(board: Board, talk: readonly Message[], ctx: GameContext): Operation<Move> {
  const answer = yield* ctx.sampleTools({
    messages: talk,
    systemPrompt:
      'You play tic-tac-toe as O and try to win. Boards are listed row by row: a1 b1 c1, a2 b2 c2, a3 b3 c3.',
    tools: [
      {
        name: 'play',
        description: 'Puts your O on a free cell.',
        inputSchema: z.object({
          cell: z.enum(freeCells(board)),
          remark: z.string().max(100).optional().meta({ description: 'A few friendly words to the user' }),
        }),
      },
    ],
    toolChoice: { mode: 'required' },
    maxTokens: 300,
  });
  const [{ input }] = answer.toolCalls;
  // The exchange begins with the user's last message, which is part of the talk already.
  return { ...input, messages: answer.exchange.withResults(() => 'Played.').messages.slice(1) };
}
