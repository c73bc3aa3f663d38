import * as z from 'zod';
import { isObject } from '../../core/schema/is-object.ts';
import { issueWords } from '../../core/schema/issue-words.ts';
import { LOG_LEVELS } from '../../core/tool/context.ts';
import { FIRST_STATELESS_REVISION, LATEST_REVISION, REVISIONS } from './era.ts';
import { META } from './meta.ts';
import { invalidParams, RPC, RpcError, shortened } from './rpc/rpc-error.ts';

/** What a client says of itself. */
export interface ClientWords {
  readonly capabilities: unknown;
  readonly info: unknown;
}

/** What a client is called in messages. */
export function clientName(info: unknown): string {
  return `mcp client "${isObject(info) ? String(info.name) : 'unknown'}"`;
}

/** The client's own word in that; a person is shown where it comes from otherwise. */
export function ownClientName(name: string): string {
  return /^mcp client "(.*)"$/s.exec(name)?.[1] ?? name;
}

const object = z.looseObject({});
const extensions = z.record(z.string(), object);
const clientInfo = z.looseObject({ name: z.string(), version: z.string() });
const capabilities = z.looseObject({
  elicitation: z.looseObject({ form: object.optional(), url: object.optional() }).optional(),
  sampling: z.looseObject({ tools: object.optional(), context: object.optional() }).optional(),
  roots: object.optional(),
  tasks: object.optional(),
  extensions: extensions.optional(),
  experimental: extensions.optional(),
});

const HANDSHAKE = z.looseObject({ protocolVersion: z.string(), capabilities, clientInfo });

const ENVELOPE = z.looseObject({
  [META.protocolVersion]: z.string(),
  [META.clientCapabilities]: capabilities,
  [META.clientInfo]: clientInfo.optional(),
  [META.logLevel]: z.enum(LOG_LEVELS).optional(),
});

const REQUIRED: ReadonlySet<string> = new Set([META.protocolVersion, META.clientCapabilities]);

/** What `initialize` says (2025), and the revision that is spoken from then on. @throws `-32602` */
export function readHandshake(params: unknown): ClientWords & { readonly revision: string } {
  const { data, error } = HANDSHAKE.safeParse(params);
  if (!data) throw invalidParams(`Invalid params: ${problemIn(error, params).join(': ')}`);
  const { protocolVersion, capabilities, clientInfo: info } = data;
  const revision = REVISIONS.includes(protocolVersion) ? protocolVersion : LATEST_REVISION;
  return { capabilities, info, revision };
}

/** The revision that a request says it is of, among all that it has to say of itself (2026). @throws `-32602` */
export function revisionIn(params: unknown): string {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const { error } = ENVELOPE.safeParse(meta);
  if (error) {
    const [key, found] = problemIn(error, meta);
    const problem = REQUIRED.has(key) && !(key in meta) ? 'missing' : found;
    const revision = FIRST_STATELESS_REVISION;
    throw invalidParams(`Invalid _meta envelope for protocol revision ${revision}: ${key}: ${problem}`, {
      envelope: { key, problem },
    });
  }
  return String(meta[META.protocolVersion]);
}

/** @throws `-32022` for a revision that is not spoken (2026) */
export function checkRevision(revision: string): void {
  if (revision === FIRST_STATELESS_REVISION) return;
  const requested = shortened(revision);
  const supported = [FIRST_STATELESS_REVISION];
  const message = `Unsupported protocol version: ${requested}`;
  throw new RpcError(RPC.unsupportedVersion, message, { supported, requested });
}

/** Where the first thing is that is wrong, and what is wrong with it. */
function problemIn({ issues: [issue] }: z.ZodError, given: unknown): [where: string, problem: string] {
  return issue ? [issue.path.join('.'), issueWords(issue, given)] : ['', ''];
}
