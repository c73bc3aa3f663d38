/** Is this a Mac? Its keys have other names. */
export const IS_MAC = /mac/i.test(navigator.userAgent);

/** The keys that submit a form, as people know them. */
export const SUBMIT_KEYS = IS_MAC ? '⌘⏎' : 'Ctrl+Enter';
