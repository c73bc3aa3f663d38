import type { ToolLimits } from '../../core/tool/tool.ts';

/** The tightest of several limits, each by itself. */
export function tightest(...all: readonly (ToolLimits | undefined)[]): ToolLimits {
  const least = (name: keyof ToolLimits) => {
    const given = all.map((limits) => limits?.[name]).filter((value) => value !== undefined);
    return given.length === 0 ? {} : { [name]: Math.min(...given) };
  };
  return { ...least('timeout'), ...least('maxDepth'), ...least('maxTokens') };
}
