import type { ToolLimits } from '../../core/tool/tool.ts';

/** The tightest of several limits, each by itself. */
export function tightest(...all: readonly (ToolLimits | undefined)[]): ToolLimits {
  const least: { -readonly [name in keyof ToolLimits]: ToolLimits[name] } = {};
  for (const limits of all) {
    if (!limits) continue;
    for (const name of NAMES) {
      const limit = limits[name];
      if (limit !== undefined) least[name] = Math.min(limit, least[name] ?? limit);
    }
  }
  return least;
}

const NAMES = ['timeout', 'maxDepth', 'maxTokens'] as const satisfies readonly (keyof ToolLimits)[];
