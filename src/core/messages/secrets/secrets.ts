import { namesSecret } from './secret-names.ts';

const SECRET_FILES = [
  // Settings of an environment; the examples of them are there to be read.
  /^\.env(?!.*\.(?:example|sample|template|dist)$)(?:$|\.)/,
  /^\.(?:npmrc|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$/,
  /^_netrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|asc|gpg|crt|cer|der|tfstate|tfvars)$/,
  /^(?:credentials|secrets?)(?:\.[a-z0-9]+)?$/,
  /^service[-_]account.*\.json$/,
];

/** Whether a file with this path is one that people keep secrets in: `.env`, keys, certificates, stored credentials. */
export function isSecretFile(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  return SECRET_FILES.some((pattern) => pattern.test(name));
}

/** What secrets look like, whatever they are called. */
const SECRET_VALUE =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:gh[pousr]_|github_pat_|glpat-|sk-|sk_live_|rk_live_|xox[abprs]-|npm_|AKIA|ASIA|AIza)[\w-]{12,}|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.|\/\/[^\s/:@]+:[^\s/@]{3,}@/;

/** `name = "value"`, `name: 'value'` or, as in a file of settings, `NAME=value1` up to the end of the line. */
const ASSIGNMENT =
  /(?:^|[^\w-])["']?([A-Za-z_][\w-]{0,80})["']?\s{0,9}(?::=|=>|[:=])\s{0,9}(?:"([^"\s]{6,})"|'([^'\s]{6,})'|`([^`\s]{6,})`|(?=\S*\d)([^\s"'`(){}[\];,<>]{8,})\s*$)/g;

/** Longer lines are no settings: of them only the beginning is looked at. */
const LONGEST_LINE = 2000;

/** Whether a line of text seems to hold a secret. */
export function holdsSecret(line: string): boolean {
  const text = line.slice(0, LONGEST_LINE);
  if (SECRET_VALUE.test(text)) return true;
  for (const [, name = '', ...values] of text.matchAll(ASSIGNMENT)) {
    const value = values.find((one) => one !== undefined) ?? '';
    if (namesSecret(name) && !isPlaceholder(name, value)) return true;
  }
  return false;
}

/** `process.env.TOKEN`, `${TOKEN}`, `<your token>`, `Password`: where a secret comes from, or what it is called, is none. */
function isPlaceholder(name: string, value: string): boolean {
  if (name.toLowerCase().includes(value.toLowerCase())) return true;
  return /^[$<%{]|^(?:process|import|os|env|this|self|config|settings|options)\b|^your|x{4,}|\*{3,}|…|\.{3}/i.test(
    value,
  );
}

/** The numbers of the lines that seem to hold a secret, counted from 1; the first ten. */
export function secretLines(text: string): number[] {
  const found: number[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (found.length >= 10) break;
    if (holdsSecret(line)) found.push(at + 1);
  }
  return found;
}

/** Why a file looks as if it held a secret, in a few words; `undefined` when it does not. */
export function suspicionOf(paths: readonly string[], text: string): string | undefined {
  if (paths.some(isSecretFile)) return 'by its name';
  const { length } = secretLines(text);
  if (length === 0) return undefined;
  return length === 1 ? '1 line' : `${length} lines`;
}
