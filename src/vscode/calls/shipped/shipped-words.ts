import type { AnyTool } from '../../../core/tool/tool.ts';

/** What people read of a tool, in their language. */
export interface ToolWords {
  readonly title: string;
  readonly summary: string;
}

const words = new WeakMap<AnyTool['def'], ToolWords>();
const own = new WeakSet<AnyTool['def']>();

/**
 * Has people read these tools, which come with Parley, as the manifest says them: the editor has translated it. What models and clients
 * are told is what the tools say themselves.
 *
 * @param nls `package.nls.json`: an editor that does not translate the manifest, such as Theia, leaves `%keys%` of it there
 */
export function takeWords(shipped: readonly AnyTool[], packageJson: unknown, nls: unknown = {}): void {
  const { contributes } = packageJson as {
    readonly contributes?: { readonly languageModelTools?: readonly DeclaredTool[] };
  };
  const declared = contributes?.languageModelTools ?? [];
  for (const { name, def } of shipped) {
    own.add(def);
    const { displayName, userDescription } = declared.find((one) => one.name === name) ?? {};
    const [title, summary] = [saidBy(nls, displayName), saidBy(nls, userDescription)];
    if (title && summary) words.set(def, { title, summary });
  }
}

function saidBy(nls: unknown, text: string | undefined): string | undefined {
  const key = /^%(.+)%$/.exec(text ?? '')?.[1];
  return key === undefined ? text : (nls as Readonly<Record<string, string | undefined>>)[key];
}

/** Nothing for tools that do not come with Parley. */
export function wordsOf({ def }: AnyTool): ToolWords | undefined {
  return words.get(def);
}

/** Whether a tool is one of those whose texts were taken, and not one of the same name. */
export function isShipped({ def }: AnyTool): boolean {
  return own.has(def);
}

interface DeclaredTool {
  readonly name: string;
  readonly displayName?: string;
  readonly userDescription?: string;
}
