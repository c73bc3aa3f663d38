import { defineError } from './define-error.ts';

/** A connected server does not answer: it is not running, cannot be reached, or has failed. `why` is a sentence. */
export const ServerUnavailableError = defineError(
  'SERVER_UNAVAILABLE',
  'ServerUnavailableError',
  ({ server, why }: { server: string; why: string }) =>
    `the server '${server}' is not available: ${why}. Check its command or address, then try again.`,
);

/** A tool of a connected server failed; the message is what the server said. */
export const ForeignToolError = defineError(
  'FOREIGN_TOOL',
  'ForeignToolError',
  ({ server, tool, said }: { server: string; tool: string; said: string }) => ({
    message:
      said.trim() === '' ? `the tool '${tool}' of the server '${server}' failed without a message` : said,
    details: { server, tool },
  }),
);

/** A connected server answered with what no client can use, or refused a request. `said` is a sentence. */
export const ForeignProtocolError = defineError(
  'FOREIGN_PROTOCOL',
  'ForeignProtocolError',
  ({ server, said }: { server: string; said: string }) => ({
    message: `the server '${server}' could not answer: ${said}`,
    details: { server },
  }),
);
