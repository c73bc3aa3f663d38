import { escapedHtml } from './escaped-html.ts';
/** What the document of a page in a conversation is made of. */
export interface AppParts {
  /** The page's code and looks. */
  readonly script: string;
  readonly style: string;
  /** What runs before all of it is read, and decides when the rest runs. */
  readonly boot: string;
  /** Says which drawing this is. */
  readonly ticket: string;
  /** It is shown in the editor that runs the call: there a page may open, pick and save. */
  readonly editor?: boolean;
  /** BCP 47 language of the editor. */
  readonly language: string;
  readonly texts?: Readonly<Record<string, string>>;
  /** The views of the tool's folder, as a script that hands them in. */
  readonly views?: { readonly script: string; readonly style: string };
}

/**
 * A page for a conversation: one document with everything in it, for its host lets it load nothing. The host adds the policy.
 */
export function appHtml({ boot, script, style, ticket, editor, language, texts, views }: AppParts): string {
  const place = editor ? ' data-editor' : '';
  const data = texts === undefined ? '' : ` data-texts="${escapedHtml(JSON.stringify(texts))}"`;
  return `<!doctype html>
<html lang="${escapedHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<script>${inScript(boot)}</script>
<style type="text/plain">${inStyle(style)}${inStyle(views?.style ?? '')}</style>
</head>
<body>
<div id="root" data-ticket="${escapedHtml(ticket)}"${place}${data}></div>
${later(script)}
${views ? later(views.script) : ''}
</body>
</html>
`;
}

/** A script that the browser takes for text, as it does the style: `webview/mcp-app/boot.ts` lets them count once the page has shaken hands. */
function later(code: string): string {
  return `<script type="text/plain">${inScript(code)}</script>`;
}

function inScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, '\\x3c');
}

function inStyle(css: string): string {
  return css.replace(/<(?=\/style)/gi, '\\3c ');
}
