import { checkReplay, createMockMcpClient, type MockElicitRequest, runMcpTool } from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { bookFlight } from '#examples/workspace/.parley/tools/book-flight/tool.ts';
import { hurryTimers } from '#test/unit/hurry-timers.ts';

hurryTimers();

const trip = { from: 'Amsterdam', destination: 'Lisbon' };
const accept = (content: object) => ({ action: 'accept' as const, content });
const pickFlight = accept({ flight: 'KS 909' });

test('books the flight and the seat that were picked, with a tip for the destination', async () => {
  const client = createMockMcpClient({
    elicitResponses: { pickFlight, pickSeat: accept({ seat: '1B' }) },
    sampleResponses: ['Take tram 28 before nine.'],
  });
  expect(await runMcpTool(bookFlight, trip, client)).toMatchObject({
    status: 'booked',
    ticketNumber: expect.stringMatching(/^PAR-[A-Z2-9]{6}$/),
    flight: 'KS 909, 07:45 to 09:40',
    seat: '1B',
    price: 189,
    tip: 'Take tram 28 before nine.',
  });
  expect(client.transcript.findLast(({ type }) => type === 'sample')).toMatchObject({
    request: { messages: [{ content: { text: expect.stringContaining('Lisbon') } }] },
  });
});

test('asks where our list is not drawn with the flights and the free seats to choose from', async () => {
  const client = createMockMcpClient({
    elicitResponses: {
      pickFlight: accept({ flight: 'KS 909, 07:45 to 09:40, 189 €' }),
      pickSeat: accept({ seat: '1B' }),
    },
    sampleResponses: ['-'],
  });
  expect(await runMcpTool(bookFlight, trip, client)).toMatchObject({ status: 'booked', price: 189 });
  const [flights, seats] = client.transcript.flatMap((line) =>
    line.type === 'elicit' && 'requestedSchema' in line.request ? [line.request.requestedSchema] : [],
  );
  expect(flights).toMatchObject({
    properties: {
      flight: {
        oneOf: expect.arrayContaining([{ const: 'KS 909', title: 'KS 909, 07:45 to 09:40, 189 €' }]),
      },
    },
  });
  expect(seats).toMatchObject({ properties: { seat: { enum: expect.arrayContaining(['1B']) } } });
});

test('says how far the search is, and hands all flights to the picker', async () => {
  const client = createMockMcpClient({ elicitResponses: { pickFlight: { action: 'cancel' } } });
  await runMcpTool(bookFlight, trip, client);
  expect(client.transcript.filter(({ type }) => type === 'notify')).toContainEqual({
    type: 'notify',
    message: 'Asking Halcyon',
    value: 1,
    total: 4,
    depth: 0,
  });
  expect(client.transcript.find(({ type }) => type === 'elicit')).toMatchObject({
    request: {
      message: 'Found 7 flights from AMS to LIS',
      context: { from: 'Amsterdam', to: 'Lisbon', flights: expect.objectContaining({ length: 7 }) },
    },
  });
});

test.each(['decline', 'cancel'] as const)(
  'a %s of the flight ends it, and nothing is booked',
  async (action) => {
    const client = createMockMcpClient({ elicitResponses: { pickFlight: { action } } });
    expect(await runMcpTool(bookFlight, trip, client)).toEqual({
      status: 'not_booked',
      summary: 'No flight was picked. Nothing was booked.',
    });
  },
);

test.each(['decline', 'cancel'] as const)(
  'a %s of the seat ends it, and nothing is booked',
  async (action) => {
    const client = createMockMcpClient({ elicitResponses: { pickFlight, pickSeat: { action } } });
    expect(await runMcpTool(bookFlight, trip, client)).toEqual({
      status: 'not_booked',
      summary: 'No seat was picked on KS 909. Nothing was booked.',
    });
  },
);

test('a flight and a seat that cannot be had are asked for again, as people type them', async () => {
  const client = createMockMcpClient({
    elicitResponses: {
      pickFlight: [accept({ flight: 'KL 1' }), accept({ flight: ' ks 909' })],
      pickSeat: [accept({ seat: '99Z' }), accept({ seat: '1b' })],
    },
    sampleResponses: ['Pack light.'],
  });
  expect(await runMcpTool(bookFlight, trip, client)).toMatchObject({ status: 'booked', seat: '1B' });
  const asked = client.transcript.flatMap((entry) =>
    entry.type === 'elicit' ? [entry.request.message] : [],
  );
  expect(asked[1]).toMatch(/^There is no flight KL 1\. Pick one of /);
  expect(asked[3]).toMatch(/^Seat 99Z is not free\. /);
});

test('a client that answers the same nonsense for ever is not asked for ever', async () => {
  const asked: MockElicitRequest[] = [];
  const client = createMockMcpClient({
    elicitResponses: (request) => {
      asked.push(request);
      return accept({ flight: 'nonsense' });
    },
  });
  expect(await runMcpTool(bookFlight, trip, client)).toMatchObject({ status: 'not_booked' });
  expect(asked).toHaveLength(3);
});

test('no model, no tip: the flight is booked all the same, and the log says why', async () => {
  const client = createMockMcpClient({
    capabilities: { elicitation: { form: true } },
    elicitResponses: { pickFlight, pickSeat: accept({ seat: '1B' }) },
  });
  const ticket = await runMcpTool(bookFlight, trip, client);
  expect(ticket).toMatchObject({ status: 'booked' });
  expect(ticket).not.toHaveProperty('tip');
  expect(client.transcript.at(-1)).toMatchObject({
    type: 'log',
    level: 'warning',
    message: expect.stringMatching(/^no travel tip: /),
  });
});

test('a trip to where one is already is refused in words that say what to do', async () => {
  await expect(runMcpTool(bookFlight, { from: 'AMS', destination: 'amsterdam' })).rejects.toThrow(
    'From and destination are both Amsterdam: name two different places.',
  );
});

test('without anybody to ask, none of it runs', async () => {
  const client = createMockMcpClient({ capabilities: {} });
  await expect(runMcpTool(bookFlight, trip, client)).rejects.toMatchObject({ code: 'CAPABILITY' });
  expect(client.transcript).toEqual([]);
});

test('a booking that is taken up after any line of its journal goes on as it was, and has each search and the booking as a step', async () => {
  const client = createMockMcpClient({
    elicitResponses: {
      pickFlight: [accept({ flight: 'KL 1' }), pickFlight],
      pickSeat: accept({ seat: '1B' }),
    },
    sampleResponses: ['Take tram 28 before nine.'],
  });
  const { journal } = await checkReplay(bookFlight, trip, client);
  const steps = journal.lines.flatMap((line) => (line.t === 'step' ? [line.name] : []));
  expect(steps).toEqual([
    'search Tern Air',
    'search Halcyon',
    'search Kestrel Jet',
    'search Northlight',
    'book',
  ]);
});
