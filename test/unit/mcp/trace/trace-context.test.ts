import { describe, expect, it } from 'vitest';
import { traceContextOf } from '#src/mcp/trace/trace-context.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the trace context of a request', () => {
  it('is what its _meta says, and nothing beside it', () => {
    const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE, tenant@vendor=x';
    expect(traceContextOf({ traceparent, tracestate, baggage: 'user=ada' })).toEqual({
      traceparent,
      tracestate,
    });
    expect(traceContextOf({ traceparent })).toEqual({ traceparent });
  });

  it.each([
    [undefined],
    [[]],
    [{}],
    [{ traceparent: 7 }],
    [{ traceparent: [traceparent] }],
    [{ traceparent: ` ${traceparent}` }],
    [{ traceparent: `${traceparent}\n` }],
    [{ traceparent: `${traceparent}\r\nset-cookie: a` }],
    [{ traceparent: traceparent.toUpperCase() }],
    [{ traceparent: traceparent.replace(/^00/, 'ff') }],
    [{ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }],
    [{ traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01` }],
    [{ traceparent: 'x'.repeat(10_000_000) }],
  ])('is none where it is not written as W3C says: %#', (meta) => {
    expect(traceContextOf(meta)).toBeUndefined();
  });

  it.each([
    [''],
    ['a'],
    ['A=1'],
    ['a=1,,b=2'],
    ['a=1\nb=2'],
    ['a=ü'],
    ['__proto__=1'],
    [{ a: 1 }],
    [Array.from({ length: 33 }, (_, at) => `a${at}=1`).join(',')],
    [`a=${'x'.repeat(600)}`],
  ])('goes without a state that is none: %#', (tracestate) => {
    expect(traceContextOf({ traceparent, tracestate })).toEqual({ traceparent });
  });
});
