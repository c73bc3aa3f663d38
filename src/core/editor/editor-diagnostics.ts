import type { Operation } from 'effection';
import { callContext } from '../world/call-context.ts';
import { useAbility } from './editor-ability.ts';

/** A place in a text: both count from 0, `character` in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A stretch of text; `end` is the first place that is no part of it. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** How bad a problem is. */
export type DiagnosticSeverity = 'error' | 'warning' | 'information' | 'hint';

/** One problem that a language's tools found. */
export interface Diagnostic {
  /** The file that has it. */
  readonly uri: string;
  readonly range: Range;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  /** Who found it: `ts`, `eslint`. */
  readonly source?: string;
  /** What the finder calls this kind of problem: `2322`, `no-undef`. */
  readonly code?: string;
}

/** The problems that the editor shows. */
export interface DiagnosticsAbility {
  /** The problems of one file, or of the workspace, as they are now. */
  list(uri?: string): Operation<readonly Diagnostic[]>;
}

/** The problems that an editor lends. */
export const DiagnosticsContext = callContext<DiagnosticsAbility>('parley.editor.diagnostics');

/** The editor's problems. @throws `McpCapabilityError` outside an editor. */
export function useDiagnostics(): Operation<DiagnosticsAbility> {
  return useAbility(DiagnosticsContext, 'editor.diagnostics');
}
