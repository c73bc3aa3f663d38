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

/** The name of an ability. */
export type AbilityName = keyof typeof ABILITIES;

/** The name of what one of them can do. */
export type LoanName = (typeof ABILITIES)[AbilityName][number];
