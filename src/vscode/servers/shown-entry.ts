import { isAbsolute } from 'node:path';
import { oauthTexts, SECRET_FIELDS, type WrittenServer } from '../../mcp/client/index.ts';

/** As much as a dialog shows of what a person allows: lines, characters of one, and of all. */
const DIALOG = { lines: 25, line: 300, all: 2500 };

/** Characters of a line of a document: an editor shows no more without being scrolled. */
const WIDTH = 100;

/** Variables by which programs are told to run something else. */
const RUNS_CODE =
  /^(PATH|PATHEXT|COMSPEC|SHELL|EDITOR|PAGER|BROWSER|IFS|PS4|PROMPT_COMMAND|ZDOTDIR|(BASH_)?ENV|(LD|DYLD|GIT|NODE|ELECTRON|BUN|DENO|UV|PIP|NPM_CONFIG|YARN|DOTNET)_.*|(PYTHON|PERL5|RUBY|LUA_INIT).*|.*(JAVA|MAVEN|GRADLE|JVM)_.*OP(T|TION)S|CLASSPATH|OPENSSL_CONF|GCONV_PATH|PHPRC)$/i;

/** What cannot be seen, or makes text run backwards, as what it is. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** An address with nothing in it that looks like something else, such as a letter of another alphabet, or that turns its parts around. */
function shownAddress(address: string): string {
  return address.replace(/[^\x20-\x7e]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Headers or variables: what runs code, and what hands on something of the person's, before all others. */
function shownTexts(texts: Readonly<Record<string, unknown>>, between: string): readonly string[] {
  const rank = ([name, value]: readonly [string, unknown]) =>
    RUNS_CODE.test(name) ? 0 : String(value).includes('${') ? 1 : 2;
  return Object.entries(texts)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(([name, value]) => `${visible(name)}${between}${visible(String(value))}`);
}

/** Says that a written secret is there, and does not show it. */
function shownField(name: string, value: string): string {
  const isSecret =
    SECRET_FIELDS.some((secret) => secret === name) && !value.includes('${') && !isAbsolute(value);
  if (isSecret) return `… (${value.length} characters)`;
  return name === 'issuer' || name === 'idpTokenEndpoint' ? shownAddress(value) : visible(value);
}

/** Where the secrets of an entry for its login go, and nowhere else; nothing where there are none. */
export function shownAddressees([, { oauth }]: WrittenServer): string | undefined {
  if (!SECRET_FIELDS.some((name) => oauth?.[name] !== undefined)) return undefined;
  const addresses = [oauth?.issuer, oauth?.idpTokenEndpoint].filter((one) => one !== undefined);
  return addresses.length === 0 ? undefined : addresses.map(shownAddress).join(', ');
}

/** What would be started or reached, as lines: all of it, as it is written, so that no secret is shown. */
export function shownEntry([, entry]: WrittenServer, folder: string): readonly string[] {
  const { command, args = [], env = {}, envFile, cwd, url, headers = {}, oauth } = entry;
  return command === undefined
    ? [
        shownAddress(url ?? ''),
        ...oauthTexts(oauth).map(([name, value]) => `oauth.${name}: ${shownField(name, value)}`),
        ...shownTexts(headers, ': '),
      ]
    : [
        [command, ...args]
          .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part)))
          .map((part) => visible(part))
          .join(' '),
        `cwd: ${visible(cwd ?? folder)}`,
        ...(envFile === undefined ? [] : [`envFile: ${visible(envFile)}`]),
        ...shownTexts(env, '='),
      ];
}

/** Whether a dialog shows all of these lines: what it would cut off is nothing that one can allow there. */
export function fitsDialog(lines: readonly string[]): boolean {
  const longest = Math.max(...lines.map(({ length }) => length));
  return lines.length <= DIALOG.lines && longest <= DIALOG.line && lines.join('').length <= DIALOG.all;
}

/** The same lines in which nothing stands beside what is in sight: those that go on are indented. */
export function wrappedLines(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    (line.match(new RegExp(`.{1,${WIDTH}}`, 'gu')) ?? ['']).map((part, at) =>
      at === 0 ? part : `    ${part}`,
    ),
  );
}
