import { repoRoot, type ServerOptions, type Settings } from '#harness';

/** The Parley that is tested, and others: from its folder, or installed from the package that `PARLEY_E2E_VSIX` names. */
export function parleyWith(
  ...extensions: readonly string[]
): Required<Pick<ServerOptions, 'packages' | 'extensions'>> {
  const packaged = process.env.PARLEY_E2E_VSIX;
  return packaged === undefined
    ? { packages: [], extensions: [repoRoot, ...extensions] }
    : { packages: [packaged], extensions };
}

/**
 * The pointer of a test stands wherever the last click was: a hover of the row there would cover the rows below it. What moves by itself
 * is drawn anew many times a second, without a graphics card: an eighth of what these tests cost.
 */
export const atRest: Settings = {
  'workbench.hover.delay': 3_600_000,
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'terminal.integrated.cursorBlinking': false,
  // A panel that is drawn late may take the focus while a test is in the command palette.
  'workbench.quickOpen.closeOnFocusLost': false,
  // The Explorer would select the file of the editor, and throws when it is opened while that file is deleted.
  'explorer.autoReveal': false,
};
