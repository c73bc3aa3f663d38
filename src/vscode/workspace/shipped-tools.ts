import type { Operation } from 'effection';
import { fromThenable } from '../bridge.ts';
import type { ToolPort } from './tool-port.ts';

/** Registers the tools that come with Parley. Their code is loaded here, after activation. */
export function* keepShippedTools(port: ToolPort): Operation<void> {
  const done = port.begin();
  try {
    const { shippedPlugins } = yield* fromThenable(import('../../tools/index.ts'));
    const tools = shippedPlugins.map((tool) => ({ tool }));
    port.registry.register({ kind: 'shipped', id: 'parley', label: 'Parley' }, { tools });
  } finally {
    done();
  }
}
