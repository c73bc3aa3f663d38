import type { ToolContext } from '../../../core/tool/context.ts';

/** The context of a call that speaks for a server: it declares nothing, for its questions are known only when they come. */
export type ForeignContext = ToolContext<Record<never, never>>;
