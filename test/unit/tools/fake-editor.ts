import type { Diagnostic, DiagnosticsAbility, EditsAbility, TextEdit } from '#src/core/editor.ts';

/** Files of an editor, by URI, that a test can change behind a tool's back. */
export interface FakeEditor extends EditsAbility {
  readonly files: Map<string, string>;
  /** How often something was applied: each is one step of Undo. */
  readonly applied: readonly TextEdit[][];
}

/** An editor with these files. */
export function fakeEditor(texts: Readonly<Record<string, string>>): FakeEditor {
  const files = new Map(Object.entries(texts));
  const applied: TextEdit[][] = [];
  return {
    files,
    applied,
    *folders() {
      return [{ uri: 'file:///project/shop', name: 'shop' }];
    },
    *read(uri) {
      const text = files.get(uri);
      if (text === undefined) throw new Error(`there is no ${uri}`);
      return text;
    },
    *preview() {},
    *apply(_label, edits, seen = new Map()) {
      for (const [uri, text] of seen) if (files.get(uri) !== text) return false;
      applied.push([...edits]);
      for (const uri of new Set(edits.map((edit) => edit.uri))) {
        files.set(
          uri,
          textAfter(
            files.get(uri) ?? '',
            edits.filter((edit) => edit.uri === uri),
          ),
        );
      }
      return true;
    },
  };
}

function textAfter(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: TextEdit['range']['start']) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, character);
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (all, edit) => all.slice(0, offset(edit.range.start)) + edit.text + all.slice(offset(edit.range.end)),
      text,
    );
}

/** A problem on a line, counted from 0. */
export function problem(uri: string, line: number, more: Partial<Diagnostic> = {}): Diagnostic {
  const at = (character: number) => ({ line, character });
  return {
    uri,
    range: { start: at(0), end: at(1) },
    severity: 'error',
    message: `line ${line} is wrong`,
    ...more,
  };
}

/** An editor that shows these problems. */
export function fakeDiagnostics(...all: readonly Diagnostic[]): DiagnosticsAbility {
  return {
    *list(uri) {
      return all.filter((one) => uri === undefined || one.uri === uri);
    },
  };
}
