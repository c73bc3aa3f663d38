import type { Transport } from '@modelcontextprotocol/client';

type Listener = NonNullable<Transport['onmessage']>;

/** Puts something between a transport and whoever will listen to it. What is put there first hears a message first. */
export function wrapListener(transport: Transport, wrap: (listener: Listener) => Listener): void {
  const before = Object.getOwnPropertyDescriptor(transport, 'onmessage');
  let deliver: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: before?.get ?? (() => deliver),
    set(listener: Transport['onmessage']) {
      const wrapped = listener && wrap(listener);
      if (before?.set) before.set.call(transport, wrapped);
      else deliver = wrapped;
    },
  });
}
