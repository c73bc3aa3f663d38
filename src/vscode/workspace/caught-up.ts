import type { Operation } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { ToolPort } from './tool-port.ts';

/**
 * The tool as it stands on disk, for a caller other than the person: an agent may have written its file a moment ago. Where that cannot
 * be loaded it is the last version that could. @throws where the file has no tool of that name any more
 */
export function* caughtUp(port: ToolPort, served: AnyTool | AnyPlugin): Operation<AnyTool | AnyPlugin> {
  const { name } = toolOf(served);
  const before = port.registry.get(name);
  const folder = before && port.folders.get(before.source.id);
  // What runs another tool in its own way has that tool's name, and is not the tool.
  if (!folder || !before.place || (before.plugin ?? before.tool) !== served) return served;
  yield* folder.catchUp(before.place.file);
  const now = port.registry.get(name);
  if (!now) throw new Error(`'${name}' is not in its file any more: it was changed a moment ago`);
  return now.plugin ?? now.tool;
}
