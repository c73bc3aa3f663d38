import type { AnyTool } from '../../core/tool/tool.ts';
import { commentOf } from './comment.ts';
import { propertyName, typeOf } from './type-of.ts';

/**
 * A tool as code sees it, in TypeScript.
 *
 * @example
 * declare(wordCount)
 * // declare const tools: {
 * //   /** Counts words. *\/
 * //   word_count(args: { text: string; }): Promise<{ words: number; }>;
 * // };
 */
export function declare({ name, def }: AnyTool): string {
  const { parameters, output, description, annotations } = def;
  const takes = typeOf(parameters.json);
  const optional = hasRequired(parameters.json) ? '' : '?';
  const gives = output ? typeOf(output.json) : 'unknown';
  const asked = annotations.readOnlyHint === true ? '' : '\nCan make changes: the user is asked first.';
  return [
    'declare const tools: {\n',
    commentOf(`${description}${asked}`, '  '),
    `  ${propertyName(name)}(args${optional}: ${indented(takes)}): Promise<${indented(gives)}>;\n`,
    '};',
  ].join('');
}

function hasRequired(json: object): boolean {
  return 'required' in json && Array.isArray(json.required) && json.required.length > 0;
}

function indented(type: string): string {
  return type.replaceAll('\n', '\n  ');
}
