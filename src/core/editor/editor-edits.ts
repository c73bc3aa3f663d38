import type { Operation } from 'effection';
import type { Root } from '../tool/context.ts';
import { callContext } from '../world/call-context.ts';
import { useAbility } from './editor-ability.ts';
import type { Range } from './editor-diagnostics.ts';

/** Replaces a stretch of a file with a text. */
export interface TextEdit {
  /** The file, in one of the folders that are open. */
  readonly uri: string;
  /** What is replaced; an empty range inserts. */
  readonly range: Range;
  /** What stands there afterwards. */
  readonly text: string;
}

/**
 * Reads and changes files as the editor has them, unsaved changes included. A file that is in none of the editor’s folders, or
 * only through a link, is refused.
 */
export interface EditsAbility {
  /** The folders that are open in the editor, whatever folders a client names. Nothing outside of them is read or changed. */
  folders(): Operation<readonly Root[]>;
  /** The text of a file as the editor has it. @throws when there is no such file, or it holds no text. */
  read(uri: string): Operation<string>;
  /** Shows what the edits of one file would change, as a diff; it closes with the scope that asked. */
  preview(title: string, edits: readonly TextEdit[]): Operation<void>;
  /**
   * Makes all edits, in however many files, as one step that can be undone; files stay unsaved. Ranges are those of the
   * texts before any edit. `seen` says what these were, by URI: nothing is done when one of them has changed since.
   *
   * @returns false when nothing was done.
   */
  apply(label: string, edits: readonly TextEdit[], seen?: ReadonlyMap<string, string>): Operation<boolean>;
}

/** The files that an editor lends. */
export const EditsContext = callContext<EditsAbility>('parley.editor.edits');

/** The editor's files. @throws `McpCapabilityError` outside an editor. */
export function useEdits(): Operation<EditsAbility> {
  return useAbility(EditsContext, 'editor.edits');
}
