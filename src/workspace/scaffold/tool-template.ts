import {
  pluginSource,
  questionSource,
  viewSource,
  viewTestSource,
  viewToolSource,
} from './asking-templates.ts';
import { branchesSource, branchesTestSource, samplingSource, samplingTestSource } from './model-templates.ts';
import { plainSource, plainTestSource, questionTestSource } from './plain-templates.ts';
import type { TemplateNames } from './template-names.ts';

/** What a new tool can begin as. */
export const TEMPLATES = ['plain', 'question', 'view', 'sampling', 'branches'] as const;

/** One of {@link TEMPLATES}. */
export type Template = (typeof TEMPLATES)[number];

/** A file of a new tool; the path is relative to `.parley`. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a new tool, the one to open first. */
export function templateFiles(template: Template, names: TemplateNames): readonly TemplateFile[] {
  const tool = (text: string) => ({ path: `tools/${names.name}.ts`, text });
  const test = (text: string) => ({ path: `tests/${names.name}.test.ts`, text });
  switch (template) {
    case 'plain':
      return [tool(plainSource(names)), test(plainTestSource(names))];
    case 'question':
      return [tool(questionSource(names)), test(questionTestSource(names))];
    case 'view':
      return [
        tool(viewToolSource(names)),
        { path: `tools/${names.name}.plugin.ts`, text: pluginSource(names) },
        { path: `tools/${names.name}.view.tsx`, text: viewSource(names) },
        test(viewTestSource(names)),
      ];
    case 'sampling':
      return [tool(samplingSource(names)), test(samplingTestSource(names))];
    case 'branches':
      return [tool(branchesSource(names)), test(branchesTestSource(names))];
  }
}
