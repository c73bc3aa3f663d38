import { defined } from '../../core/schema/defined.ts';
import { checkOAuth, type OAuthOptions } from '../../mcp/index.ts';
import { UsageError, type Values } from '../options.ts';

/** The authorization server that a command line names; `undefined` without one. @throws `UsageError` for one that cannot be */
export function oauthOf(values: Values): OAuthOptions | undefined {
  const { 'oauth-issuer': issuer, 'oauth-resource': resource, 'oauth-token-type': tokenType } = values;
  const scopes = values['oauth-scope'];
  const toolScopes = scopesByTool(values['oauth-tool-scope']);
  if (issuer === undefined && resource === undefined) {
    if (scopes.length === 0 && toolScopes === undefined && tokenType === undefined) return undefined;
    throw new UsageError('--oauth-scope, --oauth-tool-scope and --oauth-token-type need --oauth-issuer URL');
  }
  if (issuer === undefined || resource === undefined) {
    throw new UsageError(
      '--oauth-issuer URL and --oauth-resource URL need each other: the server that issues tokens, and the address they are for',
    );
  }
  if (values['no-token']) throw new UsageError('--oauth-issuer and --no-token cannot be used together');
  if (values.code && toolScopes) {
    throw new UsageError(
      '--oauth-tool-scope and --code cannot be used together: code calls the tools of all scopes',
    );
  }
  const options = { issuer, resource, scopes, ...defined({ toolScopes, tokenType }) };
  try {
    checkOAuth(options);
  } catch (error) {
    throw new UsageError(`--oauth-…: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return options;
}

function scopesByTool(given: readonly string[]): Record<string, readonly string[]> | undefined {
  if (given.length === 0) return undefined;
  const byTool = new Map<string, readonly string[]>();
  for (const one of given) {
    const at = one.indexOf('=');
    const [tool, scope] = [one.slice(0, at), one.slice(at + 1)];
    if (at < 1 || scope === '') {
      throw new UsageError(`--oauth-tool-scope is a tool and a scope, such as release=deploy, not '${one}'`);
    }
    byTool.set(tool, [...(byTool.get(tool) ?? []), scope]);
  }
  return Object.fromEntries(byTool);
}
