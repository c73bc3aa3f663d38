import { isObject } from '../../core/schema/is-object.ts';
import type { CallerClaims } from '../../runtime/manager/manager.ts';

/** The chat of VS Code's agent that a call comes from. */
const CHAT = 'vscode.conversationId';

/** What a client says of itself and of where a request comes from. Anybody may say anything: it is for people to read. */
export function claimsOf({
  clientInfo,
  params,
}: {
  readonly clientInfo: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}): CallerClaims {
  const client = clientOf(clientInfo);
  const chat = isObject(params._meta) ? params._meta[CHAT] : undefined;
  return {
    ...(client === '' ? {} : { client }),
    ...programOf(clientInfo),
    ...(typeof chat === 'string' ? { chat } : {}),
  };
}

function clientOf(info: unknown): string {
  if (!isObject(info)) return '';
  const name = info.title ?? info.name;
  const { version } = info;
  if (typeof name !== 'string') return typeof version === 'string' ? version : '';
  return typeof version === 'string' ? `${name} ${version}` : name;
}

/** So many characters of a name or version are kept. */
const LONGEST = 200;

function programOf(info: unknown): Pick<CallerClaims, 'program'> {
  if (!isObject(info) || typeof info.name !== 'string' || info.name === '') return {};
  const version = typeof info.version === 'string' ? info.version : '';
  return { program: { name: info.name.slice(0, LONGEST), version: version.slice(0, LONGEST) } };
}
