import type { Outgoing, WirePeer } from './contract.ts';
import type { RealmMethods } from './methods/realm-methods.ts';
import type { SessionMethods } from './methods/session-methods.ts';

/** The realm with the tool, as the one with the session calls it. */
export type RealmPeer = WirePeer<RealmMethods, SessionMethods>;

/** A call there that was made here. */
export type RealmCall = Outgoing<RealmMethods, SessionMethods>;

/** The realm with the session, as the one with the tool calls it. */
export type SessionPeer = WirePeer<SessionMethods, RealmMethods>;
