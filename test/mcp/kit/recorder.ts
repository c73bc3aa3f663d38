/** A transport as both SDKs' clients have it: the part that is recorded. */
interface Recorded {
  send(message: never, options?: never): Promise<void>;
  onmessage?: unknown;
}

type Message = Readonly<Record<string, unknown>>;

/** What went over a client's transport, in order. */
export interface Recording {
  /** One line a message: `→` for what the client sent, `←` for what it got. Ids and the like are made the same each time. */
  text(): string;
}

/** Records a transport; call it before the client connects. */
export function record(transport: Recorded): Recording {
  const lines: string[] = [];
  const take = (arrow: string, message: unknown) => lines.push(`${arrow} ${JSON.stringify(message, stable)}`);

  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    take('→', message);
    return send(message, options);
  };
  let handler: ((message: Message, extra?: unknown) => void) | undefined;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => handler,
    set(given: typeof handler) {
      handler =
        given &&
        ((message, extra) => {
          take('←', message);
          given(message, extra);
        });
    },
  });
  return { text: () => `${lines.join('\n')}\n` };
}

/** What differs from run to run, and says nothing about the conversation. */
function stable(key: string, value: unknown): unknown {
  if (key === 'requestState') return '<state>';
  if (key === 'ticketNumber') return '<ticket>';
  if (typeof value === 'string') return value.replace(/"ticketNumber":"[^"]+"/g, '"ticketNumber":"<ticket>"');
  return value;
}
