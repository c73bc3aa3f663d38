import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorData } from '#src/core/errors/error-data.ts';
import { errorFromData } from '#src/core/errors/error-from-data.ts';
import { decode, encode } from '#src/isolation/wire/codec.ts';
import { order } from '#src/isolation/wire/orders.ts';
import { type Report, report } from '#src/isolation/wire/reports.ts';

const serial = fc.nat();
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as never);
const error = fc
  .record({ message: fc.string(), cause: fc.option(fc.string(), { nil: undefined }) })
  .map(({ message, cause }) => errorData(new Error(message, cause === undefined ? {} : { cause })));

const reports: fc.Arbitrary<Report> = fc.oneof(
  fc.record({ type: fc.constant('result' as const), call: serial, value: json }),
  fc.record({ type: fc.constant('error' as const), call: serial, error }),
  fc.record({
    type: fc.constant('log' as const),
    call: serial,
    level: fc.constantFrom('debug' as const, 'emergency' as const),
    message: fc.string(),
    data: json,
    depth: serial,
  }),
  fc.record({
    type: fc.constant('progress' as const),
    call: serial,
    message: fc.string(),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    depth: serial,
  }),
  fc.record({
    type: fc.constant('render' as const),
    handling: serial,
    view: serial,
    reference: fc.record({ kind: fc.constant('parley.view' as const), key: fc.string(), name: fc.string() }),
    props: fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      json,
    ),
    waits: fc.boolean(),
  }),
);

describe('a message', () => {
  it('arrives as it was sent', () => {
    fc.assert(
      fc.property(reports, (sent) => {
        expect(decode(report, encode(sent))).toEqual({ ok: true, message: sent });
      }),
    );
  });

  it('is read without a throw, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.anything(),
          json.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          for (const schema of [order, report])
            expect(typeof decode(schema as never, text).ok).toBe('boolean');
        },
      ),
    );
  });

  it('that is bent is refused with its place', () => {
    const open = {
      type: 'open',
      call: 1,
      ask: 1,
      depth: 0,
      subject: {
        kind: 'elicit',
        declared: true,
        request: { message: 'x', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } },
      },
    };
    const read = decode(report, JSON.stringify(open));
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining('subject.request') });
    expect(decode(report, '{"type":"result","call":-1}')).toMatchObject({ ok: false });
    expect(decode(report, 'no json')).toEqual({ ok: false, problem: 'a message that is no JSON' });
    expect(decode(report, { type: 'pong' })).toEqual({ ok: false, problem: 'a message is text, not object' });
  });

  it('brings a deep chain of causes', () => {
    let deep = new Error('0');
    for (let n = 1; n < 40; n++) deep = new Error(String(n), { cause: deep });
    const read = decode(report, encode({ type: 'error', call: 1, error: errorData(deep) }));
    expect(read.ok && read.message.type === 'error' && errorFromData(read.message.error).message).toBe('39');
  });
});
