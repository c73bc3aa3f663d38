import { isPlugin } from '../../core/plugin/guards.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { noteCodeVersion } from '../../core/world/code-version.ts';
import type { SourceLocation } from '../registry/problem.ts';
import type { ToolOffer } from '../registry/registered-tool.ts';

/** The tools of one file, from the last time it could be loaded. */
export interface FileTools {
  readonly file: string;
  readonly tools: ReadonlyArray<AnyTool | AnyPlugin>;
  /** Changes when its code does. */
  readonly version: string | undefined;
  /** The author's files that it is made of. */
  readonly sources: ReadonlySet<string>;
  /** The build hash of the views they refer to. */
  readonly viewHash: string | undefined;
  /** Where each name is defined. */
  readonly places: ReadonlyMap<string, SourceLocation>;
  /** When this version was loaded, in epoch milliseconds. */
  readonly loadedAt: number;
}

/**
 * What a folder offers. A tool that one file exports and another exports a plugin for is one tool; so is one that is
 * exported again. Two different ones of the same name both remain: the registry says so to their authors.
 */
export function folderOffers(files: readonly FileTools[]): readonly ToolOffer[] {
  const offers = files.flatMap((from) => from.tools.map((tool) => ({ tool, from })));
  const plugins = offers.filter(({ tool }) => isPlugin(tool));
  const seen = new Set<AnyTool>();
  const isNew = ({ tool }: { tool: AnyTool | AnyPlugin }) => {
    const isKnown = seen.has(toolOf(tool));
    seen.add(toolOf(tool));
    return !isKnown;
  };
  // A plugin that kept an older version of a tool still stands for the tool of a file that it is made of.
  const isCovered = (bare: AnyTool, file: string) =>
    plugins.some(({ tool, from }) => toolOf(tool).name === bare.name && from.sources.has(file));
  const remaining = [
    ...plugins.filter(isNew),
    ...offers
      .filter((offer) => !isPlugin(offer.tool))
      .filter(isNew)
      .filter(({ tool, from }) => !isCovered(toolOf(tool), from.file)),
  ];
  for (const { tool, from } of remaining) noteCodeVersion(toolOf(tool), from.version);
  return remaining
    .sort((a, b) => (a.from.file < b.from.file ? -1 : a.from.file > b.from.file ? 1 : 0))
    .map(({ tool, from }, index, all) => {
      const { name } = toolOf(tool);
      const isFirst = !all.slice(0, index).some((one) => one.from === from && toolOf(one.tool).name === name);
      const place = placeOf(name, from, files);
      return { tool, place: isFirst ? place : (from.places.get(`${name} again`) ?? place) };
    });
}

/** Where the name stands: in the file itself, or in one that it is made of and that holds tools too. */
function placeOf(name: string, from: FileTools, files: readonly FileTools[]): SourceLocation {
  const elsewhere = files.find(({ file, places }) => from.sources.has(file) && places.has(name));
  return from.places.get(name) ?? elsewhere?.places.get(name) ?? { file: from.file, line: 1, column: 1 };
}
