/**
 * What views are written with. At run time, inside the page, the build puts this module in its place, for shipped views and for those of a
 * workspace.
 *
 * @packageDocumentation
 */

export { Codicon, type IconProps } from './parts/icon.tsx';
/** What Parley's own views say, in the editor's language; any other text stays as it is. */
export { t } from './parts/l10n.ts';
export { Markdown } from './parts/markdown.tsx';
export { type PrimaryActionOptions, usePrimaryAction } from './views/primary-action.tsx';
export { useDraft } from './views/use-draft.ts';
export type { ViewProps } from './views/view-props.ts';
