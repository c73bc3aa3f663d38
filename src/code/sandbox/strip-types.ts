import { transform } from 'sucrase';

/**
 * TypeScript, or JavaScript, as a script that gives a promise of what the code returns. Lines stay where they are.
 *
 * @throws SyntaxError for what is neither
 */
export function asScript(code: string): string {
  const { code: plain } = transform(`(async () => {${code}\n})()`, {
    transforms: ['typescript'],
    disableESTransforms: true,
  });
  return plain;
}
