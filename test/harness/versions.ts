import manifest from '../../package.json' with { type: 'json' };

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

/** Oldest first: one of them is the oldest that package.json admits. */
const older: readonly VsCodeVersion[] = [
  {
    vscode: '1.104.0',
    codeServer: '4.104.0',
    integrity:
      'sha512-wSo8KOqN/HnhAPkZ+aKviR61xx97KrYpvy9oomXhSwoM+1l5t8Mfuffx5or3Ew1PoJh2u2Y4fxIEi3Wn5++vfg==',
    // Under Node 24 its extension host starts and then never answers (tried).
    node: '22.23.3',
  },
  {
    vscode: '1.106.3',
    codeServer: '4.106.3',
    integrity:
      'sha512-GCspZ2Naj4/1pCVgfD3swU0/6RWGiodqeugwYLofT4rShPMCJXiw+hQYNREQlA6Yp53vJuRlR9ccrfIPLNQAKw==',
    node: '22.23.3',
  },
];

/**
 * The oldest VS Code that `engines.vscode` in package.json admits, of those that can be had from npm.
 * @throws Error when that is a minor version nobody has tried yet
 */
export function oldestAdmitted(engine: string): VsCodeVersion {
  const minor = Number(/^\^1\.(\d+)\.\d+$/.exec(engine)?.[1]);
  const found = older.find((version) => Number(version.vscode.split('.')[1]) === minor);
  if (found !== undefined) return found;
  throw new Error(
    `engines.vscode is ${engine}, and test/harness/versions.ts knows no VS Code 1.${minor}. ` +
      'Add the code-server of that minor version, so that the host suite runs on the oldest VS Code admitted.',
  );
}

/** The oldest VS Code that this repository's package.json admits. */
export const oldest: VsCodeVersion = oldestAdmitted(manifest.engines.vscode);
