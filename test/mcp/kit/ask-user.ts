/** The shipped tool that lets a model ask a form, for `parley serve`. */
export { askUserPlugin } from '#src/tools/ask-user/plugin.ts';
