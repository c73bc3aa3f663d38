import { relative } from 'node:path';
import type { Operation } from 'effection';
import type { WorkspaceTools } from '../../../workspace/load/use-workspace-tools.ts';
import type { Problem } from '../../../workspace/registry/problem.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';

/**
 * Puts a tool in place as it stands on disk, for a caller other than the person: an agent may have written its file a moment ago. Where that
 * cannot be run, the last version that could is there, and what comes back says so, for a model. @throws where the file has no tool of
 * that name any more, or files that cannot be loaded may have it
 */
export function* caughtUp(port: ToolPort, name: string): Operation<string | undefined> {
  const before = port.registry.get(name);
  if (!before) return yield* lookedFor(port, name);
  const folder = port.folders.get(before.source.id);
  if (!folder || !before.place) return undefined;
  yield* folder.catchUp(before.place.file);
  const now = port.registry.get(name);
  if (now) return noteOf(port, now);
  throw new Error(`'${name}' is not in its file any more: it was changed a moment ago`);
}

/** It may be in a file that nobody has told of yet. */
function* lookedFor(port: ToolPort, name: string): Operation<undefined> {
  for (const folder of [...port.folders.values()]) yield* folder.catchUp();
  if (port.registry.get(name)) return;
  const found = port.registry.problems();
  const errors = found.filter(({ severity, kind }) => severity === 'error' || kind === 'waiting');
  if (errors.length === 0) return;
  const files = errors.map((error) => placeText(port, error)).join('\n');
  throw new Error(`there is no tool '${name}'. It may be in a file that cannot be loaded:\n${files}`);
}

/** That another version runs than what is written, and why. */
function noteOf(port: ToolPort, { name, source, place }: RegisteredTool): string | undefined {
  const version = place && port.folders.get(source.id)?.about(place.file);
  if (!version) return undefined;
  const why = reasonFor(port, place.file, version);
  if (why === undefined) return undefined;
  const time = new Date(version.loadedAt).toISOString();
  return `Note: '${name}' ran as it was loaded at ${time}, and not as it is written now: ${why}`;
}

type LoadedVersion = NonNullable<ReturnType<WorkspaceTools['about']>>;

function reasonFor(port: ToolPort, file: string, { failed, sources }: LoadedVersion): string | undefined {
  const problems = port.registry.problems();
  const broken = problems.find((one) => one.severity === 'error' && sources.has(one.file));
  const waiting = problems.find((one) => one.kind === 'waiting' && one.file === file);
  // What waits was not loaded, and so has not failed.
  if (failed || (waiting && broken))
    return `its file cannot be loaded.${broken ? `\n${placeText(port, broken)}` : ''}`;
  return waiting && placeText(port, waiting);
}

function placeText({ registry }: ToolPort, { file, line, message }: Problem): string {
  const folders = registry
    .sources()
    .flatMap(({ source }) => (source.kind === 'workspace' ? source.folder : []));
  const [path] = folders.map((folder) => relative(folder, file)).filter((way) => !way.startsWith('..'));
  return `${path ?? file}:${line}: ${message}`;
}
