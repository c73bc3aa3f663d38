import type { JsonObject } from '../../../core/messages/json.ts';
import { escapedHtml } from '../../../panel/escaped-html.ts';

/** What the page's document is made of. URIs are those of `asWebviewUri`. */
export interface PageParts {
  readonly nonce: string;
  readonly cspSource: string;
  /** In the order in which they run. */
  readonly scripts: readonly string[];
  readonly style: string;
  /** BCP 47 language of the editor. */
  readonly language: string;
  /** What the page says in that language, by the English; absent where the page speaks English. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /** What the page of an earlier window of this panel kept. */
  readonly memory?: JsonObject | undefined;
}

/**
 * The run panel's document. It holds nothing of a tool: all of that is posted. Scripts need the nonce, which modules that
 * a script imports inherit; images may be data, nothing may be fetched.
 */
export function pageHtml({ nonce, cspSource, scripts, style, language, ...data }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    `media-src data:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="${escapedHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapedHtml(policy)}">
<title>Parley</title>
<link rel="stylesheet" href="${escapedHtml(style)}">
</head>
<body>
<div id="root"${dataAttribute('texts', data.texts)}${dataAttribute('memory', data.memory)}></div>
${scripts.map((script) => `<script type="module" nonce="${escapedHtml(nonce)}" src="${escapedHtml(script)}"></script>`).join('\n')}
</body>
</html>
`;
}

function dataAttribute(name: string, value: unknown): string {
  return value === undefined ? '' : ` data-${name}="${escapedHtml(JSON.stringify(value))}"`;
}
