import type { Operation } from 'effection';
import { errorData } from '../../core/errors/data/error-data.ts';
import { isPlugin } from '../../core/plugin/guards.ts';
import { pluginOf, toolOf } from '../../core/plugin/offer.ts';
import type { ToolVersion } from '../../runtime/call/tool-side.ts';
import { exportedOthers, exportedTools, exportedUnended } from '../../workspace/load/exported-tools.ts';
import { createHostRealm } from '../../workspace/load/host-realm.ts';
import type { LoadedFile } from '../../workspace/load/tool-realm.ts';
import type { LoadParams } from '../wire/methods/realm-methods.ts';
import type { SessionPeer } from '../wire/peers.ts';
import { describeTool } from '../wire/tool-data.ts';

/**
 * Loads files one after the other, without a pause that would let one file's timers run in the time of the next, and
 * says before each which one it is. Gives their tools, in the order in which they were described.
 */
export function* loadTools(order: LoadParams, session: SessionPeer): Operation<readonly ToolVersion[]> {
  const { folder, outDir, entries } = order;
  const origins = new Map<unknown, string>();
  const realm = createHostRealm({
    folder,
    outDir,
    slice: Number.POSITIVE_INFINITY,
    // A module comes after those it needs: the first that exports a tool is the one that made it.
    onRun({ version }, exports) {
      for (const [name, value] of Object.entries(exports)) {
        if (!origins.has(value)) origins.set(value, `${version}#${name}`);
      }
    },
  });
  const modules = new Map(order.modules.map((module) => [module.name, { ...module, source: module.source }]));
  const lent = new Set(order.lent);
  const tools: ToolVersion[] = [];
  // What is lent comes asynchronously; from here on nothing does.
  yield* realm.load({ modules, entries: new Map(), lent });
  for (const { file, name } of entries) {
    session.tell('loading', { file });
    const loaded = (yield* realm.load({ modules, entries: new Map([[file, name]]), lent })).get(file);
    if (loaded) tools.push(...describe(file, loaded, origins, session));
  }
  return tools;
}

function describe(
  file: string,
  loaded: LoadedFile,
  origins: Map<unknown, string>,
  session: SessionPeer,
): readonly ToolVersion[] {
  try {
    if (loaded.kind === 'threw') throw loaded.error;
    const offers = exportedTools(loaded.exports);
    const described = offers.map((offer, index) => {
      const origin = origins.get(offer) ?? `${file}#${index}`;
      if (!isPlugin(offer)) return describeTool(offer, origin);
      // A file that is still to come may export the tool: it is this plugin's there, too.
      const tool = origins.get(toolOf(offer)) ?? `${origin} tool`;
      origins.set(toolOf(offer), tool);
      return { ...describeTool(offer, origin), tool };
    });
    session.tell('loaded', {
      file,
      tools: described,
      others: exportedOthers(loaded.exports).length > 0,
      unended: exportedUnended(loaded.exports),
    });
    return offers.map((offer) => ({ tool: toolOf(offer), plugin: pluginOf(offer) }));
  } catch (error) {
    session.tell('threw', { file, error: errorData(error) });
    return [];
  }
}
