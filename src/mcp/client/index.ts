export type { Client } from '@modelcontextprotocol/client';
export { type CallPolicy, CallPolicyContext } from '../../runtime/policy/call-policy.ts';
export { type PolicyRule, readRules, serversMissed, toolsMissed } from '../../runtime/policy/rules.ts';
export { rulesPolicy } from '../../runtime/policy/rules-policy.ts';
export { outsideName } from '../wire/foreign-name.ts';
export type { ForeignLog } from './calls/in-flight.ts';
export { oauthTexts, SECRET_FIELDS } from './config/credentials.ts';
export { entryHash } from './config/entry-hash.ts';
export {
  fillInServer,
  parseServer,
  parseServers,
  readServers,
  type ServerInput,
  type WrittenServer,
} from './config/mcp-json.ts';
export type { HttpEntry, ServerEntry } from './config/server-entry.ts';
export { ServersFileError } from './config/servers-file-error.ts';
export { useMcpConnection } from './connection.ts';
export { serveCallback } from './login/callback-page.ts';
export { logInTool } from './login/log-in-tool.ts';
export { createLogin, type Login, type LoginPort } from './login/login.ts';
export { createWaitingLogins, type WaitingLogins } from './login/waiting-logins.ts';
export { foreignTool } from './offers/foreign-tool.ts';
export { promptTool, resourceTool, templateTool } from './offers/offer-tools.ts';
export { saidIn } from './reader/read-answer.ts';
export { readContents, readPrompt } from './reader/read-content.ts';
export { problemsOf } from './schema/check.ts';
export { listedSchema } from './schema/listed-schema.ts';
export { refusedValues } from './schema/refused-values.ts';
export type { ServerConnection } from './server-connection.ts';
export { type Servers, setIfNew, useServers } from './use-servers.ts';
