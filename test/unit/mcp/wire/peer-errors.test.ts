import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { isRefusal, peerError } from '#src/mcp/wire/rpc/peer-errors.ts';

const asked = (kind: 'elicit' | 'sample' | 'roots') => ({ client: 'mcp client "x"', kind, timeout: 1000 });

it.each([
  ['a time-out', new McpError(ErrorCode.RequestTimeout, 'Request timed out'), 'TIMEOUT'],
  ['a closed connection', new McpError(ErrorCode.ConnectionClosed, 'Connection closed'), 'DISCONNECTED'],
  ['a server that is not connected', new Error('Not connected'), 'DISCONNECTED'],
  ['a refusal by the user', new McpError(-1, 'User rejected sampling request'), 'SAMPLING_REFUSED'],
  ['no model', new McpError(-32603, 'No model available'), 'SAMPLING_NO_MODEL'],
  ['a quota', new McpError(-32603, 'Rate limit exceeded'), 'SAMPLING_QUOTA'],
  ['a model that cannot be reached', new McpError(-32603, 'upstream connection refused'), 'SAMPLING'],
  ['a request that was rejected', new McpError(-32603, 'request rejected: bad parameters'), 'SAMPLING'],
  ['anything else', new McpError(-32603, 'boom'), 'SAMPLING'],
  ['a server that was refused', new McpError(-32603, 'upstream connection refused'), 'SAMPLING'],
  ['a provider that rejects', new McpError(-32603, 'request rejected: bad key'), 'SAMPLING'],
])('says what went wrong with a sampling: %s', (_what, error, code) => {
  expect(peerError(error, asked('sample'))).toMatchObject({ code, cause: error });
});

it('says what a client could not do', () => {
  const unknown = new McpError(ErrorCode.MethodNotFound, 'Method not found');
  expect(peerError(unknown, asked('elicit'))).toMatchObject({
    code: 'ELICITATION_FAILED',
    message: expect.stringContaining(
      'could not ask the user: it does not know the request, though it declared it',
    ),
  });
});

it('knows a refusal by its code alone', () => {
  expect(isRefusal(peerError(new McpError(-1, 'no'), asked('elicit')))).toBe(true);
  expect(isRefusal(peerError(new McpError(-32603, 'the user refused'), asked('elicit')))).toBe(false);
});
