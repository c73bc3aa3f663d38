import type { Client } from 'pg';
import type { Notices } from '../notices.ts';

/** What listens on a connection. */
export interface Listening {
  /** The name of the channel, quoted. */
  readonly channel: string;
  readonly notices: Notices;
}

/** Hears from now on what is told by PostgreSQL's `NOTIFY`. What was told before on another connection may be lost: everybody looks. */
export async function listen(client: Client, { channel, notices }: Listening): Promise<void> {
  client.on('notification', ({ payload }) => notices.tell(payload ?? ''));
  await client.query(`listen ${channel}`);
  for (const id of notices.ids()) notices.tell(id);
}
