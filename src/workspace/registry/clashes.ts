import { pathBelow } from '../files/path-below.ts';
import type { Problem } from './problem.ts';
import type { RegisteredTool } from './registered-tool.ts';

/** The tools that win their name, and a problem for each that does not and has a file to show it in. */
export function resolveClashes(inOrder: readonly RegisteredTool[]): {
  winners: ReadonlyMap<string, RegisteredTool>;
  problems: readonly Problem[];
} {
  const winners = new Map<string, RegisteredTool>();
  const problems: Problem[] = [];
  for (const tool of inOrder) {
    const winner = winners.get(tool.name);
    if (winner === undefined) winners.set(tool.name, tool);
    else if (tool.place) problems.push(duplicate(tool, winner, tool.place));
  }
  return { winners, problems };
}

function duplicate(
  loser: RegisteredTool,
  winner: RegisteredTool,
  place: NonNullable<RegisteredTool['place']>,
): Problem {
  const first = winner.place;
  return {
    kind: 'duplicate',
    severity: 'error',
    ...place,
    length: 0,
    message: `The tool '${loser.name}' is not used, because ${whereIs(winner, loser)} already has a tool of that name. Rename one of them.`,
    ...(first && { related: [{ ...first, message: `The tool '${winner.name}' that is used` }] }),
  };
}

/** As short as it is clear: a file of the same folder by its path in it. */
function whereIs({ source, place }: RegisteredTool, { source: other }: RegisteredTool): string {
  if (place && source.kind === 'workspace') {
    const path = pathBelow(source.folder, place.file);
    return source.id === other.id ? path : `${path} of ${source.label}`;
  }
  if (place) return place.file;
  return source.kind === 'shipped' ? 'Parley itself' : source.label;
}
