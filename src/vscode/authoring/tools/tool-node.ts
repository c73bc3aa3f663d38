import type { Problem } from '../../../workspace/registry/problem.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import type { ToolSource } from '../../../workspace/registry/tool-source.ts';
import type { ServerRow } from '../../servers/server-book.ts';
import type { ToolDetail } from './tool-details.ts';

/** What the Tools view lists: sources, their tools, and what is wrong with their files. */
export type ToolNode =
  | { readonly type: 'source'; readonly source: ToolSource }
  | { readonly type: 'pinned' }
  | { readonly type: 'servers' }
  | { readonly type: 'server'; readonly row: ServerRow }
  | {
      readonly type: 'tool';
      readonly registered: RegisteredTool;
      readonly used: boolean;
      /** Listed among those that are pinned. */
      readonly pinned?: boolean;
    }
  | { readonly type: 'detail'; readonly id: string; readonly detail: ToolDetail }
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'restricted' }
  | { readonly type: 'begin'; readonly with: 'tool' | 'example' };

/** A row that is a tool. */
export type ListedTool = Extract<ToolNode, { type: 'tool' }>;

/** The tool of a row, which a menu of the Tools view hands to its commands. */
export function listedToolOf(value: unknown): ListedTool | undefined {
  const node = value as Partial<ToolNode> | null | undefined;
  return typeof node === 'object' && node?.type === 'tool' && 'registered' in node
    ? (node as ListedTool)
    : undefined;
}
