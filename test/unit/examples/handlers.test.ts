import type { AnyPlugin, JsonObject } from 'parley-mcp';
import { createMockMcpClient, type MockSampleResponse, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { bookFlightPlugin } from '#examples/workspace/.parley/tools/book-flight/plugin.ts';
import { deal } from '#examples/workspace/.parley/tools/pick-card/deck.ts';
import { pickCardPlugin } from '#examples/workspace/.parley/tools/pick-card/plugin.ts';
import { ticTacToePlugin } from '#examples/workspace/.parley/tools/tictactoe/plugin.ts';
import { runHandler } from '#src/runtime/context/run-handler.ts';
import type { Client } from '#src/runtime/session/client.ts';

/** What a handler put on the panel: how, which view, with what. */
type Appearance = readonly [how: 'render' | 'show', view: string, props: JsonObject];

/** Runs a plugin with its handlers; `respond` is the person in front of the views. */
async function play(
  plugin: AnyPlugin,
  params: JsonObject,
  respond: (view: string, props: JsonObject) => unknown,
  sampleResponses: readonly MockSampleResponse[],
) {
  const appearances: Appearance[] = [];
  const client: Client = {
    ...createMockMcpClient({ sampleResponses }),
    *elicit(ask, { session }) {
      return yield* runHandler(session, ask, {
        *render({ name }, props) {
          appearances.push(['render', name, props]);
          return respond(name, props);
        },
        *show({ name }, props) {
          appearances.push(['show', name, props]);
        },
        *reportProgress() {},
      });
    },
  };
  return { result: await runMcpTool(plugin, params, client), appearances };
}

test('book_flight renders the flights, then the cabin of the one that was picked', async () => {
  const answers: Readonly<Record<string, string>> = { FlightList: 'HC 323', SeatPicker: '1B' };
  const trip = { from: 'AMS', destination: 'LIS' };
  const { result, appearances } = await play(bookFlightPlugin, trip, (view) => answers[view], [
    'Pack light.',
  ]);
  expect(result).toMatchObject({ status: 'booked', flight: 'HC 323, 11:30 to 13:25', seat: '1B' });
  expect(appearances).toMatchObject([
    ['render', 'FlightList', { from: 'Amsterdam', to: 'Lisbon' }],
    ['render', 'SeatPicker', { flight: { number: 'HC 323' }, cabin: { rows: 12 } }],
  ]);
});

test('tictactoe shows each position while the model thinks, and the last one without waiting', async () => {
  const model = (cell: string, id: string): MockSampleResponse => ({
    content: { type: 'tool_use', id, name: 'play', input: { cell } },
  });
  const moves = ['a1', 'b1', 'c1'];
  const { result, appearances } = await play(ticTacToePlugin, {}, () => moves.shift(), [
    model('a2', '1'),
    model('b2', '2'),
    'Well played!',
  ]);
  expect(result).toMatchObject({ outcome: 'user_won' });
  expect(appearances.map(([how]) => how)).toEqual([
    'render',
    'show',
    'render',
    'show',
    'render',
    'show',
    'show',
  ]);
  expect(appearances[1]?.[2]).toEqual({ board: ['X', '-', '-', '-', '-', '-', '-', '-', '-'] });
  expect(appearances.at(-1)?.[2]).toEqual({
    board: ['X', 'X', 'X', 'O', 'O', '-', '-', '-', '-'],
    outcome: 'user_won',
  });
});

test('pick_card turns over the card that was dealt before anybody was asked', async () => {
  const { appearances } = await play(pickCardPlugin, { cards: 3 }, () => 3, ['Luck.', 'Luck.']);
  expect(appearances).toEqual([
    ['render', 'CardTable', { count: 3 }],
    ['show', 'CardFace', { card: deal(3, 'test')[2] }],
  ]);
});
