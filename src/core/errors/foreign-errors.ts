import { defineError } from './define-error.ts';

/** A connected server does not answer: it is not running, cannot be reached, or has failed. `why` is a sentence. */
export const ServerUnavailableError = defineError(
  'SERVER_UNAVAILABLE',
  'ServerUnavailableError',
  (server: string, why: string) => ({
    message: `the server '${server}' is not available: ${why}. Check its command or address, then try again.`,
    details: { server, why },
  }),
);

/** A tool of a connected server failed; the message is what the server said. */
export const ForeignToolError = defineError(
  'FOREIGN_TOOL',
  'ForeignToolError',
  (server: string, tool: string, said: string) => ({
    message:
      said.trim() === '' ? `the tool '${tool}' of the server '${server}' failed without a message` : said,
    details: { server, tool },
  }),
);

/** A connected server answered with what no client can use, or refused a request. `said` is a sentence. */
export const ForeignProtocolError = defineError(
  'FOREIGN_PROTOCOL',
  'ForeignProtocolError',
  (server: string, said: string) => ({
    message: `the server '${server}' could not answer: ${said}`,
    details: { server },
  }),
);
