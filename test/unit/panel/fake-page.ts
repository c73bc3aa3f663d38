import type { Snapshot, ToHost, ToPage } from '#src/panel-port/index.ts';
import { applyPatch, patch, readFromHost, readFromPage, ready, snapshot } from '#src/panel-port/index.ts';

/** The page's end of the port without a page: keeps the snapshot as the page would, and parses what goes either way. */
export interface FakePage {
  readonly posted: readonly ToPage[];
  snapshot(): Snapshot;
  /** For the host: post to the page. */
  post(message: ToPage): void;
  /** As the page: send to the host. */
  send(message: ToHost): void;
  connect(receive: (message: ToHost) => void): void;
}

export function createFakePage(): FakePage {
  const posted: ToPage[] = [];
  let current: Snapshot | undefined;
  let receive = (_: ToHost): void => {};
  const send = (message: ToHost): void => {
    const received = readFromPage(structuredClone(message));
    if (received.case !== 'message') throw new Error(`not a message: ${JSON.stringify(message)}`);
    receive(received.message);
  };
  return {
    posted,
    send,
    connect: (listener) => {
      receive = listener;
    },
    snapshot() {
      if (!current) throw new Error('the page has no snapshot');
      return current;
    },
    post(sent) {
      const received = readFromHost(structuredClone(sent));
      if (received.case !== 'message') throw new Error(`not a message: ${JSON.stringify(sent)}`);
      const { message } = received;
      posted.push(message);
      if (snapshot.is(message)) current = message.body;
      if (patch.is(message)) {
        const next = current && applyPatch(current, message.body);
        if (next) current = next;
        else send(ready(current ? { lastVersion: current.version } : {}));
      }
    },
  };
}
