import { asLabel } from '../../../core/messages/label.ts';
import { isObject } from '../../../core/schema/is-object.ts';

/** What an authorization server answered to a form. */
export interface RefusedForm {
  /** The code of its error; nothing where it said none. */
  readonly error?: string;
  /** A line that says why, without what was brought. */
  readonly why: string;
}

/** The refusal in an answer; nothing where it is an answer that can be used. Some servers refuse with a status that says that all is well. */
export function refusalIn(text: string, response: Response, init: RequestInit): RefusedForm | undefined {
  const answer = jsonIn(text);
  const { error, error_description: description } = isObject(answer) ? answer : {};
  if (response.ok && isObject(answer) && typeof error !== 'string') return undefined;
  if (typeof error !== 'string') return { why: `it answered ${response.status}, without a readable message` };
  const said = typeof description === 'string' ? `${error} (${description})` : error;
  return { error, why: withoutSecrets(said, init) };
}

/** An answer that can be used, for the SDK. It reads how long a token counts, which nobody needs, and takes none of which that is no number. */
export function usableAnswer(text: string, { status, headers }: Response): Response {
  const answer = jsonIn(text);
  const { expires_in: _, scope, ...tokens } = isObject(answer) ? answer : {};
  const said = { token_type: 'Bearer', ...tokens, scope: Array.isArray(scope) ? scope.join(' ') : scope };
  return new Response(JSON.stringify(said), { status, headers });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fields of a form that anybody could log in with. */
const SECRETS = [
  'client_secret',
  'client_assertion',
  'assertion',
  'subject_token',
  'code',
  'code_verifier',
  'refresh_token',
];

function withoutSecrets(said: string, { body, headers }: RequestInit): string {
  const form = new URLSearchParams(body instanceof URLSearchParams || typeof body === 'string' ? body : '');
  const [, basic = ''] = (new Headers(headers).get('authorization') ?? '').split(' ');
  const credentials = Buffer.from(basic, 'base64').toString();
  const sent = credentials.slice(credentials.indexOf(':') + 1);
  const secrets = [
    ...SECRETS.map((name) => form.get(name) ?? ''),
    basic,
    sent,
    new URLSearchParams(`secret=${sent}`).get('secret') ?? '',
  ];
  const plain = secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '…')), said);
  return asLabel(plain, 300);
}
