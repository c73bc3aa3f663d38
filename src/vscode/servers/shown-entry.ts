import { isAbsolute } from 'node:path';
import { oauthTexts, SECRET_FIELDS, type WrittenServer } from '../../mcp/client/index.ts';

/** Characters of one value, and lines in all, that a person reads before they allow a server. */
const LONGEST = 300;
const MOST = 25;

/** Characters of each of many headers or variables: they are to leave room on the screen for the rest. */
const SHORT = 80;
const MANY = 8;

/** What cannot be seen, or makes text run backwards, as what it is. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function shown(value: string, longest = LONGEST): string {
  const text = visible(value);
  return text.length > longest ? `${text.slice(0, longest)}… (${value.length} characters)` : text;
}

/** An address with nothing in it that looks like something else, such as a letter of another alphabet, or that turns its parts around. */
function shownAddress(address: string): string {
  return shown(
    address.replace(/[^\x20-\x7e]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`),
  );
}

/** Headers or variables. */
function shownTexts(texts: Readonly<Record<string, unknown>>, between: string): readonly string[] {
  const entries = Object.entries(texts);
  const longest = entries.length > MANY ? SHORT : LONGEST;
  return entries.map(([name, value]) => `${shown(name)}${between}${shown(String(value), longest)}`);
}

/** A secret that somebody wrote down is said to be there. */
function shownField(name: string, value: string): string {
  const isSecret =
    SECRET_FIELDS.some((secret) => secret === name) && !value.includes('${') && !isAbsolute(value);
  if (isSecret) return `… (${value.length} characters)`;
  return name === 'issuer' || name === 'idpTokenEndpoint' ? shownAddress(value) : shown(value);
}

/** Where the secrets of an entry for its login go, and nowhere else; nothing where there are none. */
export function shownAddressees([, { oauth }]: WrittenServer): string | undefined {
  if (!SECRET_FIELDS.some((name) => oauth?.[name] !== undefined)) return undefined;
  const addresses = [oauth?.issuer, oauth?.idpTokenEndpoint].filter((one) => one !== undefined);
  return addresses.length === 0 ? undefined : addresses.map(shownAddress).join(', ');
}

/**
 * What would be started or reached, as lines: all of it, as it is written, so that no secret is shown. Too many lines are cut,
 * and said to be: those are headers or variables, never who logs in and where.
 */
export function shownEntry([, entry]: WrittenServer, folder: string): readonly string[] {
  const { command, args = [], env = {}, envFile, cwd, url, headers = {}, oauth } = entry;
  const lines =
    command === undefined
      ? [
          shownAddress(url ?? ''),
          ...oauthTexts(oauth).map(([name, value]) => `oauth.${name}: ${shownField(name, value)}`),
          ...shownTexts(headers, ': '),
        ]
      : [
          [command, ...args]
            .map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part)))
            .map((part) => shown(part))
            .join(' '),
          `cwd: ${shown(cwd ?? folder)}`,
          ...(envFile === undefined ? [] : [`envFile: ${shown(envFile)}`]),
          ...shownTexts(env, '='),
        ];
  const more = lines.length - MOST;
  return more > 0 ? [...lines.slice(0, MOST), `… +${more}`] : lines;
}
