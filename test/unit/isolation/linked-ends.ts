import type { RealmEnd, RealmLink, TextLink } from '#src/isolation/transport/link.ts';

/** Two ends of a line within one realm. What one sends the other hears in a turn of the event loop of its own, or when `later` says. */
export function createLinkedEnds(later: (deliver: () => void) => void = setImmediate): {
  readonly session: RealmLink;
  readonly realm: TextLink;
} {
  const { promise: ended, resolve } = Promise.withResolvers<RealmEnd>();
  let open = true;
  const toRealm = createPipe(() => open, later);
  const toSession = createPipe(() => open, later);
  return {
    session: {
      ended,
      send: toRealm.send,
      listen: toSession.listen,
      async terminate() {
        open = false;
        resolve({ kind: 'terminated' });
      },
    },
    realm: { send: toSession.send, listen: toRealm.listen },
  };
}

function createPipe(isOpen: () => boolean, later: (deliver: () => void) => void): TextLink {
  const early: string[] = [];
  let listener: ((text: unknown) => void) | undefined;
  const deliver = (text: string) => later(() => isOpen() && listener?.(text));
  return {
    send: (text) => (listener ? deliver(text) : void early.push(text)),
    listen(given) {
      listener = given;
      for (const text of early.splice(0)) deliver(text);
    },
  };
}
