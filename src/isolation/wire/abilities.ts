/** What an editor can lend to a tool in another realm, by ability and method: both ends go by these names. */
export const ABILITIES = {
  diagnostics: ['diagnostics.list'],
  edits: ['edits.folders', 'edits.read', 'edits.preview', 'edits.apply'],
  git: [
    'git.repositories',
    'git.branch',
    'git.head',
    'git.changes',
    'git.diff',
    'git.stage',
    'git.unstage',
    'git.commit',
  ],
} as const;

/** An ability of the editor that a tool in another realm can use, such as `git`. */
export type AbilityName = keyof typeof ABILITIES;

/** One function of an ability. */
export type LoanName = (typeof ABILITIES)[AbilityName][number];
