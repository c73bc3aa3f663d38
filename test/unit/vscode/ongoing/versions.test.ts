import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import type { AnyPlugin } from '#src/core/plugin/plugin.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { noteCodeVersion } from '#src/core/world/code-version.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { hasAnother } from '#src/vscode/calls/ongoing/versions.ts';
import { registeredTool } from '#src/workspace/registry/registered-tool.ts';

const source = { kind: 'workspace', id: '/w', label: 'w', folder: '/w', order: 0 } as const;

function toolOf(version: string | undefined) {
  const tool = createMcpTool('greet')
    .description('Greets.')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return 'hello';
    });
  noteCodeVersion(tool, version);
  return tool;
}

type Offered = ReturnType<typeof toolOf> | AnyPlugin;

function isAnother(now: Offered, then: Offered): boolean {
  const session = registeredTool({ tool: then }, source);
  return hasAnother(
    { session: () => session } as unknown as CallEntry,
    registeredTool({ tool: now }, source),
  );
}

describe('the tool of a call that waits', () => {
  it('is another when its code is', () => {
    expect(isAnother(toolOf('new'), toolOf('old'))).toBe(true);
  });

  it('is none when its file was loaded again as it was: a branch left and taken again, a change taken back', () => {
    expect(isAnother(toolOf('same'), toolOf('same'))).toBe(false);
  });

  it('is another where nobody knows the code, and the same where nothing was loaded', () => {
    const tool = toolOf(undefined);
    expect(isAnother(toolOf(undefined), tool)).toBe(true);
    expect(isAnother(tool, tool)).toBe(false);
  });

  it('is another when a plugin answers for it from now on, or no longer', () => {
    const tool = toolOf('same');
    const plugin = makePlugin(tool).onElicit({}).build();
    expect(isAnother(plugin, tool)).toBe(true);
    expect(isAnother(tool, plugin)).toBe(true);
  });
});
