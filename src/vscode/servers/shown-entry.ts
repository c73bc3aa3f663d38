import { isAbsolute } from 'node:path';
import { oauthTexts, SECRET_FIELDS, type WrittenServer } from '../../mcp/client/index.ts';

/** Characters of one value, and lines in all, that a person reads before they allow a server. */
const LONGEST = 300;
const MOST = 25;

/** What cannot be seen, or makes text run backwards, as what it is. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function shown(value: string): string {
  const text = visible(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${value.length} characters)` : text;
}

/** A secret that somebody wrote down is said to be there. */
function shownField(name: string, value: string): string {
  const isSecret =
    SECRET_FIELDS.some((secret) => secret === name) && !value.includes('${') && !isAbsolute(value);
  return isSecret ? `… (${value.length} characters)` : shown(value);
}

/** Where the secrets of an entry for its login go, and nowhere else; nothing where there are none. */
export function shownAddressees([, { oauth }]: WrittenServer): string | undefined {
  if (!SECRET_FIELDS.some((name) => oauth?.[name] !== undefined)) return undefined;
  const addresses = [oauth?.issuer, oauth?.idpTokenEndpoint].filter((one) => one !== undefined);
  return addresses.length === 0 ? undefined : addresses.map(shown).join(', ');
}

/**
 * What would be started or reached, as lines: all of it, as it is written, so that no secret is shown. Too many lines are cut,
 * and said to be.
 */
export function shownEntry([, entry]: WrittenServer, folder: string): readonly string[] {
  const { command, args = [], env = {}, envFile, cwd, url, headers = {}, oauth } = entry;
  const lines =
    command === undefined
      ? [
          shown(url ?? ''),
          ...Object.entries(headers).map(([name, value]) => `${shown(name)}: ${shown(String(value))}`),
          ...oauthTexts(oauth).map(([name, value]) => `oauth.${name}: ${shownField(name, value)}`),
        ]
      : [
          [command, ...args]
            .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part)))
            .map(shown)
            .join(' '),
          `cwd: ${shown(cwd ?? folder)}`,
          ...Object.entries(env).map(([name, value]) => `${shown(name)}=${shown(String(value))}`),
          ...(envFile === undefined ? [] : [`envFile: ${shown(envFile)}`]),
        ];
  const more = lines.length - MOST;
  return more > 0 ? [...lines.slice(0, MOST), `… +${more}`] : lines;
}
