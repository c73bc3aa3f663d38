import type { Question, Snapshot, Stage, TimelineRow } from '#src/panel-port/index.ts';

export function question(body: Question['body'], more: Partial<Question> = {}): Stage {
  const asked = {
    id: 'q1',
    attempt: 1,
    number: 2,
    message: 'Who is travelling?\nOne at a time.',
    openedAt: 0,
    body,
  };
  return { kind: 'question', question: { ...asked, ...more } };
}

/** A form with a field of most kinds. */
export const formStage: Stage = question({
  kind: 'form',
  schema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Name', description: 'As in the passport' },
      day: { type: 'string', title: 'Day', format: 'date' },
      cabin: {
        type: 'string',
        title: 'Cabin',
        oneOf: [
          { const: 'y', title: 'Economy' },
          { const: 'c', title: 'Business' },
        ],
      },
      window: { type: 'boolean', title: 'Window seat', description: 'If there is one' },
      at: { type: 'string', title: 'Remind me at', format: 'date-time' },
      seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9 },
      airport: { type: 'string', title: 'Airport', enum: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] },
      meals: { type: 'array', title: 'Meals', items: { type: 'string', enum: ['vegetarian', 'kosher'] } },
      notes: { type: 'string', title: 'Notes', maxLength: 400 },
    },
  },
});

const actions = [{ id: 'again', label: 'Run Again' }];
const long = 'a-word-that-is-much-too-long-for-a-narrow-panel-and-has-no-place-to-break-'.repeat(3);

/** One of each stage, with the words that break layouts. */
export const everyStage = {
  parameters: {
    kind: 'parameters',
    formId: 'f1',
    attempt: 2,
    problem: 'from: no such airport',
    schema: {
      type: 'object',
      required: ['from'],
      properties: { from: { type: 'string', title: long }, filters: { type: 'object', description: long } },
    },
  },
  form: formStage,
  files: question(
    {
      kind: 'form',
      schema: {
        type: 'object',
        required: ['shots'],
        properties: {
          shots: {
            type: 'string',
            title: 'Screenshots',
            attachment: { accept: ['image/*', 'text/*'], max: 3, maxBytes: 700_000 },
            default: [
              {
                type: 'image',
                data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
                mimeType: 'image/png',
                _meta: { name: `${long}.png` },
              },
              {
                type: 'resource',
                resource: { uri: 'attachment:///a.log', mimeType: 'text/plain', text: 'failed' },
              },
            ],
          },
          items: {
            type: 'string',
            title: 'Items',
            json: {
              type: 'array',
              items: { type: 'object', properties: { what: { type: 'string' }, cost: { type: 'number' } } },
            },
            default: [{ what: 'Tea', cost: 3 }],
          },
        },
      },
    },
    { replies: 'reply' },
  ),
  page: question({
    kind: 'page',
    asker: 'payments/pay_for_a_very_long_thing_whose_name_has_no_place_to_break',
    url: `https://xn--80ak6aa92e.example/pay?session=${'a1b2c3d4'.repeat(60)}#top`,
  }),
  again: question(
    { kind: 'form', schema: { type: 'object', properties: {} } },
    { attempt: 2, problem: long, notice: 'The view failed; here is its form.', context: { flight: long } },
  ),
  view: question({
    kind: 'view',
    renderId: 'r1',
    view: { key: 'pick' },
    props: { options: ['1A', '2B', long] },
  }),
  table: question({
    kind: 'view',
    renderId: 'r2',
    view: { key: 'approval' },
    props: {
      offerRest: 100,
      code: `await tools.close_issue({ number: 1 }); // ${long}`,
      rows: [
        { number: 1 },
        { number: 2, title: 'Fix the build' },
        { [long]: long, text: long.repeat(5) },
        { title: long },
      ].map((args, at) => ({
        id: String(at + 1),
        tool: at === 1 ? 'open_issue' : 'close_issue',
        title: at === 1 ? 'Open Issue' : 'Close Issue',
        arguments: JSON.stringify(args, undefined, 2),
        ticked: at !== 0,
        destructive: at === 1,
        ...(at === 3 ? { problem: long } : {}),
      })),
    },
  }),
  busy: question({ kind: 'busy' }, { message: long }),
  running: { kind: 'running' },
  text: { kind: 'result', value: long, actions },
  record: { kind: 'result', value: { ticketNumber: 'PA-7', [long]: long, paid: true, note: null } },
  lists: {
    kind: 'result',
    value: {
      summary: '2 of 3 were sent.',
      sent: [1, 2],
      failed: [{ number: 3, why: `410: gone ${long}` }],
      red: [{ name: 'left-pad', from: '1.0.0' }],
    },
  },
  rows: {
    kind: 'result',
    value: Array.from({ length: 3 }, (_, at) => ({ at, from: 'AMS', to: 'LIS', via: long })),
  },
  tree: { kind: 'result', value: { deep: { deeper: [1, 'two', null, { [long]: long }] } } },
  error: {
    kind: 'error',
    error: {
      name: 'McpCapabilityError',
      code: 'no_model',
      message: long,
      hint: long,
      trace: [
        {
          title: long,
          own: [{ text: long, label: 'book.ts:1:2', place: { file: 'book.ts', line: 1, column: 2 } }],
          internal: [long],
        },
        { title: long, own: [], internal: [] },
      ],
    },
    actions: [{ id: 'choose', label: 'Choose Model…', primary: true }, ...actions],
  },
  aborted: { kind: 'aborted', reason: 'Stopped by you.', actions },
} satisfies Record<string, Stage>;

/** One of each row. */
export const rows: TimelineRow[] = [
  { index: 0, time: 0, type: 'started', params: { from: 'AMS', more: long } },
  { index: 1, time: 0, type: 'log', level: 'debug', message: long, data: { long } },
  { index: 2, time: 0, type: 'log', level: 'error', message: 'See https://example.com/a', depth: 2 },
  { index: 3, time: 0, type: 'progress', message: 'fares', value: 3, total: 6 },
  { index: 4, time: 0, type: 'progress', message: 'unknown' },
  { index: 5, time: 0, type: 'sampling', state: 'answered', model: 'demo', prompt: long, text: long },
  { index: 6, time: 0, type: 'sampling', state: 'consent' },
  {
    index: 7,
    time: 0,
    type: 'question',
    id: 'q0',
    number: 1,
    message: long,
    state: 'accept',
    content: { name: long },
    schema: { type: 'object', properties: { name: { type: 'string' } } },
  },
  { index: 8, time: 0, type: 'question', id: 'q1', number: 2, message: 'Open', state: 'open' },
  { index: 9, time: 0, type: 'gap', dropped: 12 },
  { index: 10, time: 0, type: 'ended', how: 'failed', message: long },
];

const STATUS = {
  parameters: 'preparing',
  question: 'waiting',
  running: 'running',
  result: 'completed',
  error: 'failed',
  aborted: 'aborted',
} as const;

/** A snapshot of a stage, version 1, without rows. */
export function snapshotOf(stage: Stage): Snapshot {
  return {
    version: 1,
    head: {
      call: {
        callId: 'c1',
        toolName: 'book_flight',
        title: 'Book a flight',
        icon: 'rocket',
        description: 'Finds a flight and books it.',
        status: STATUS[stage.kind],
      },
      clock: { now: 72_000, machine: { total: 3000 }, human: { total: 0 } },
      stage,
    },
    rows: [],
  };
}
