import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import {
  DiagnosticsContext,
  EditsContext,
  type GitAbility,
  GitContext,
  useDiagnostics,
  useEdits,
  useGit,
} from '#src/core/editor.ts';

describe('an editor ability', () => {
  it.each([
    ['editor.git', useGit],
    ['editor.diagnostics', useDiagnostics],
    ['editor.edits', useEdits],
  ])('%s is missed with a clear error where no editor lends it', async (capability, use) => {
    await expect(run(() => use() as ReturnType<typeof useGit>)).rejects.toMatchObject({
      code: 'CAPABILITY',
      capability,
      message: expect.stringMatching(/^this tool needs a client that can give access to .* in the editor\.$/),
    });
  });

  it('is what a test sets, for everything below', async () => {
    const git: GitAbility = {
      *repositories() {
        return [];
      },
    };
    expect(await run(() => GitContext.with(git, useGit))).toBe(git);
  });

  it('has a name of its own, so that a second copy of the library finds it', () => {
    const names = [GitContext, DiagnosticsContext, EditsContext].map((context) => context.name);
    expect(names).toEqual(['parley.editor.git', 'parley.editor.diagnostics', 'parley.editor.edits']);
  });
});
