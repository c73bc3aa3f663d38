import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isSameIssuer } from '../../login/oauth-options.ts';
import type { OwnClient } from '../config/credentials.ts';
import type { ClientInformation } from './client-authentication.ts';
import { LoginRefused } from './refused-plainly.ts';

/**
 * Who a client is that somebody has registered by hand, without its secret: that is for `clientAuthentication` alone.
 *
 * @param issuer the authorization server that the server names
 * @throws `LoginRefused` where it is for another one
 */
export function ownClientAt(own: OwnClient, issuer: string | undefined): ClientInformation {
  if (own.issuer !== undefined && issuer !== undefined && !isSameIssuer(own.issuer, issuer))
    throw isForAnother(issuer, own.issuer, 'client');
  return { client_id: own.clientId, ...defined({ issuer: own.issuer }) };
}

/** What an entry says of a login is not for the authorization server that its server names. */
export function isForAnother(named: string, own: string, what: 'client' | 'credentials'): LoginRefused {
  const is = what === 'client' ? 'its client is' : 'its credentials are';
  return new LoginRefused(`it wants a login at ${asLabel(named)}, and ${is} for ${own}`);
}

/** Whether a token can stand in a header. */
export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
