/** One VS Code that the harness can run, and where its bits come from. */
export interface VsCodeVersion {
  /** Version of the VS Code inside, for example `1.139.1`. */
  readonly vscode: string;
  /** Exact version of the npm package `code-server` that ships it. */
  readonly codeServer: string;
  /** The package's sha512, so that what runs is what was tried. */
  readonly integrity: string;
  /** The Node it was made for, where that is not the one that runs the harness (24). */
  readonly node?: string;
}

/** The newest VS Code that can be had from npm. */
export const newest: VsCodeVersion = {
  vscode: '1.139.1',
  codeServer: '4.139.1',
  integrity:
    'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};

/** The oldest VS Code that `engines.vscode` in package.json admits. */
export const oldest: VsCodeVersion = {
  vscode: '1.104.0',
  codeServer: '4.104.0',
  integrity:
    'sha512-wSo8KOqN/HnhAPkZ+aKviR61xx97KrYpvy9oomXhSwoM+1l5t8Mfuffx5or3Ew1PoJh2u2Y4fxIEi3Wn5++vfg==',
  // Under Node 24 its extension host starts and then never answers (tried).
  node: '22.23.3',
};
