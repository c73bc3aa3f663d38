import { expect, it } from 'vitest';
import { isRefusal, peerError } from '#src/mcp/wire/rpc/peer-errors.ts';

const asked = (kind: 'elicit' | 'sample' | 'roots') => ({ client: 'mcp client "x"', kind });
const failed = (code: number, message: string) => ({ code, message });

it.each([
  ['a refusal by the user', failed(-1, 'User rejected sampling request'), 'SAMPLING_REFUSED'],
  ['no model', failed(-32603, 'No model available'), 'SAMPLING_NO_MODEL'],
  ['a quota', failed(-32603, 'Rate limit exceeded'), 'SAMPLING_QUOTA'],
  ['a model that cannot be reached', failed(-32603, 'upstream connection refused'), 'SAMPLING'],
  ['a request that was rejected', failed(-32603, 'request rejected: bad parameters'), 'SAMPLING'],
  ['anything else', failed(-32603, 'boom'), 'SAMPLING'],
  ['a code of its own', failed(-32001, 'not in time'), 'SAMPLING'],
  ['a provider that rejects', failed(-32603, 'request rejected: bad key'), 'SAMPLING'],
])('says what went wrong with a sampling: %s', (_what, error, code) => {
  expect(peerError(error, asked('sample'))).toMatchObject({ code, cause: error });
});

it('says what a client could not do', () => {
  expect(peerError(failed(-32601, 'Method not found'), asked('elicit'))).toMatchObject({
    code: 'ELICITATION_FAILED',
    message: expect.stringContaining(
      'could not ask the user: it does not know the request, though it declared it',
    ),
  });
});

it('knows a refusal by its code alone', () => {
  expect(isRefusal(peerError(failed(-1, 'no'), asked('elicit')))).toBe(true);
  expect(isRefusal(peerError(failed(-32603, 'the user refused'), asked('elicit')))).toBe(false);
});
