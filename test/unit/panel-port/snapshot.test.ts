import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyPatch,
  MAX_ROWS,
  mergeRows,
  readFromHost,
  type Snapshot,
  snapshot,
  type TimelineRow,
} from '#src/panel-port/index.ts';

const log = (index: number, message = `row ${index}`): TimelineRow => ({
  index,
  time: index,
  type: 'log',
  level: 'info',
  message,
});

const base: Snapshot = {
  version: 3,
  head: {
    call: { callId: 'c1', toolName: 'book_flight', title: 'Book a flight', status: 'running' },
    clock: { now: 1000, machine: { total: 0, since: 900 }, human: { total: 0 } },
    stage: { kind: 'running' },
  },
  rows: [log(0), log(1)],
};

describe('a patch', () => {
  it('appends rows and leaves the head alone', () => {
    const next = applyPatch(base, { from: 3, version: 4, rows: [log(2)] });
    expect(next?.rows.map((row) => row.index)).toEqual([0, 1, 2]);
    expect(next?.head).toBe(base.head);
    expect(next?.version).toBe(4);
  });

  it('replaces a row that comes again, in its place', () => {
    const next = applyPatch(base, { from: 3, version: 4, rows: [log(0, 'changed'), log(2)] });
    expect(next?.rows).toEqual([log(0, 'changed'), log(1), log(2)]);
  });

  it('does not fit another version', () => {
    expect(applyPatch(base, { from: 2, version: 4, rows: [log(2)] })).toBeUndefined();
  });
});

it('merged rows are in order, without doubles, and the last five hundred', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(900), { maxLength: 300 }), { maxLength: 6 }), (batches) => {
      const merged = batches.reduce<TimelineRow[]>(
        (rows, batch) =>
          mergeRows(
            rows,
            batch.map((n) => log(n)),
          ),
        [],
      );
      const indexes = merged.map((row) => row.index);
      expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
      expect(indexes.length).toBeLessThanOrEqual(MAX_ROWS);
    }),
  );
});

describe('a snapshot on the port', () => {
  it('comes through whole', () => {
    const sent = snapshot({
      ...base,
      head: {
        ...base.head,
        stage: {
          kind: 'question',
          question: {
            id: 'q1',
            attempt: 1,
            message: 'Who?',
            number: 1,
            openedAt: 950,
            body: {
              kind: 'form',
              schema: {
                type: 'object',
                properties: {
                  colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }], title: 'Colour' },
                  size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
                  when: { type: 'string', format: 'date-time' },
                  tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] }, maxItems: 1 },
                  seats: { type: 'integer', minimum: 1 },
                  window: { type: 'boolean', default: true },
                },
                required: ['colour'],
              },
            },
          },
        },
        shown: { renderId: 'r1', view: { key: 'a#B' }, props: { deep: [{ x: null }] } },
      },
    });
    expect(readFromHost(JSON.parse(JSON.stringify(sent)))).toEqual({ case: 'message', message: sent });
  });

  it('is malformed when its form is nested', () => {
    const received = readFromHost({
      parley: 'parley/1',
      name: 'snapshot',
      body: {
        ...base,
        head: {
          ...base.head,
          stage: {
            kind: 'question',
            question: {
              id: 'q1',
              attempt: 1,
              message: '',
              number: 1,
              openedAt: 0,
              body: { kind: 'form', schema: { type: 'object', properties: { a: { type: 'object' } } } },
            },
          },
        },
      },
    });
    expect(received.case).toBe('malformed');
  });
});
