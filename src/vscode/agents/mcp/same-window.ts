import { createHmac, randomBytes } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { action, type Operation } from 'effection';
import { sameToken } from '../../../mcp/http/token.ts';

/** Where a server of a window proves that it has the workspace's token. */
const path = '/parley-window/';

/** Milliseconds that a program of this machine has to answer. */
const patience = 2000;

/**
 * Answers whether this server has the token, without giving it away: with a code over what they ask and
 * the port, so that nobody can have another window answer for them. Says whether it was such a request.
 */
export function answerProof(req: IncomingMessage, res: ServerResponse, token: string | undefined): boolean {
  if (req.method !== 'GET' || !req.url?.startsWith(path)) return false;
  const port = req.socket.localPort;
  const asked = req.url.slice(path.length);
  if (token === undefined || port === undefined || !/^[\w-]{43}$/.test(asked)) {
    res.writeHead(404, { connection: 'close' }).end();
  } else {
    res.writeHead(200, { 'content-type': 'text/plain', connection: 'close' });
    res.end(proofOf(token, port, asked));
  }
  return true;
}

/** Whether the program that listens on a port of this machine has the token: another window of the same workspace. */
export function hasToken(port: number, token: string): Operation<boolean> {
  const asked = randomBytes(32).toString('base64url');
  return action((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: `${path}${asked}`, timeout: patience },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > 100) request.destroy();
        });
        response.on('close', () => resolve(sameToken(text, proofOf(token, port, asked))));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    const end = setTimeout(() => request.destroy(new Error('it takes too long')), patience);
    return () => {
      clearTimeout(end);
      request.destroy();
    };
  });
}

function proofOf(token: string, port: number, asked: string): string {
  return createHmac('sha256', token).update(`parley window ${port} ${asked}`).digest('base64url');
}
