import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from 'effection';
import { toolOf } from '../../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import { fromThenable } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { takeWords } from '../../calls/shipped/shipped-words.ts';
import { useExtension } from '../../contexts.ts';

/** Registers the tools that come with Parley. Their code is loaded here, after activation. */
export function* keepShippedTools(port: ToolPort): Operation<void> {
  const done = port.begin();
  try {
    const tools = (yield* loadShipped()).map((tool) => ({ tool }));
    port.registry.register({ kind: 'shipped', id: 'parley', label: 'Parley' }, { tools });
  } finally {
    done();
  }
}

/** The tools that come with Parley, which people read in their language from now on. */
export function* loadShipped(): Operation<readonly AnyPlugin[]> {
  const { extension } = yield* useExtension();
  const { shippedPlugins } = yield* fromThenable(import('../../../tools/index.ts'));
  const nls = yield* fromThenable(readFile(join(extension.extensionPath, 'package.nls.json'), 'utf8'));
  takeWords(shippedPlugins.map(toolOf), extension.packageJSON, JSON.parse(nls));
  return shippedPlugins;
}
