import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { type CallEntry, lineFor, titleOf } from '../../calls/call-entry.ts';
import { plainText } from '../../calls/escaped-markdown.ts';

type Translate = (message: string, ...values: string[]) => string;

/** The tools there are, as Markdown: by source, with name and first sentence. */
export function toolsMarkdown(tools: readonly RegisteredTool[], t: Translate): string {
  if (tools.length === 0) return t('There are no tools.');
  const bySource = Map.groupBy(tools, ({ source }) => source.label);
  return [...bySource]
    .map(([source, listed]) => [`**${plainText(source)}**`, '', ...listed.map(toolLine)].join('\n'))
    .join('\n\n');
}

function toolLine({ name, tool }: RegisteredTool): string {
  const said = lineFor(tool);
  return `- \`${name}\` ${plainText(titleOf(tool))}: ${plainText(said)}`;
}

/** The calls of this window, as Markdown: newest first. */
export function callsMarkdown(entries: readonly CallEntry[], t: Translate): string {
  if (entries.length === 0) return t('There are no calls.');
  return entries.map((entry) => `- ${plainText(entry.title)}: ${statusOf(entry, t)}`).join('\n');
}

function statusOf({ panel }: CallEntry, t: Translate): string {
  const { end, question } = panel.store.get();
  if (question) return t('waits for your answer');
  if (!end) return t('running');
  switch (end.kind) {
    case 'result':
      return t('done');
    case 'error':
      return t('failed');
    default:
      return t('stopped');
  }
}
