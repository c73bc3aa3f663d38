import * as vscode from 'vscode';
import { plainText } from '../../calls/escaped-markdown.ts';

/** A link in the chat that runs a command of the editor. */
export interface CommandLink {
  readonly command: string;
  readonly title: string;
  readonly arguments: readonly unknown[];
}

/** Shows links in one line of the chat. */
export type ShowLinks = (links: readonly CommandLink[]) => void;

/** Links to commands in the stream of a turn; only theirs are run. */
export function linksIn(stream: Pick<vscode.ChatResponseStream, 'markdown'>): ShowLinks {
  return (links) => {
    const line = new vscode.MarkdownString(`\n\n${links.map(linkTo).join(' · ')}\n\n`);
    line.isTrusted = { enabledCommands: links.map(({ command }) => command) };
    stream.markdown(line);
  };
}

function linkTo({ command, title, arguments: given }: CommandLink): string {
  // Parentheses end an address in Markdown.
  const query = encodeURIComponent(JSON.stringify(given)).replace(/[()]/g, (one) =>
    one === '(' ? '%28' : '%29',
  );
  return `[${plainText(title)}](command:${command}?${query})`;
}
