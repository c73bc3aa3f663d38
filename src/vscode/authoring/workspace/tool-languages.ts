/** The languages that tool files are written in. */
export const languages = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];
