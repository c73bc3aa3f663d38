import { ClaimLostError } from '../../core/errors/store-errors.ts';
import type { CallName, Claim, InboxMessage, LeaveOutcome } from '../../runtime/journal/call-store.ts';
import { hex, type Seal } from '../sealed.ts';
import type { Tables } from './tables.ts';

type SealRow = Pick<Seal, 'key' | 'salt'>;

interface LeftRow {
  readonly left: boolean | null;
  readonly ended: boolean;
  readonly digest: Buffer | null;
}

/** That another process left the same message at the same moment shows in the next try. */
const TRIES = 3;
const IS_THERE = '23505';

/** Leaves a message for the process that takes the call up. */
export async function leaveMessage(
  tables: Tables,
  name: CallName,
  message: InboxMessage,
): Promise<LeaveOutcome> {
  const { database, statements, bounds } = tables;
  const sealer = await tables.sealer();
  const id = sealer.idOf(name);
  const [called, digest] = [sealer.digest(message.id), sealer.digest(message.digest)];
  const [by] = await database.again<SealRow>(statements.seal, [id]);
  if (!by) return 'unknown';
  const body = sealer.of({ ...by, id }).seal(`message ${hex(called)}`, message);
  for (let tries = 1; ; tries += 1) {
    try {
      const values = [id, called, digest, body, bounds.callBytes];
      const [row] = await database.again<LeftRow>(statements.leave, values);
      if (!row) return 'unknown';
      if (row.left) return 'left';
      if (row.ended) return 'closed';
      if (row.digest) return row.digest.equals(digest) ? 'again' : 'other';
      return 'full';
    } catch (error) {
      if (tries === TRIES || (error as { readonly code?: unknown }).code !== IS_THERE) throw error;
    }
  }
}

/** The messages that wait in a held call's inbox. */
export async function takeMessages(
  { database, statements, sealer: open }: Tables,
  { name, fence }: Claim,
): Promise<readonly InboxMessage[]> {
  const sealer = await open();
  const id = sealer.idOf(name);
  const rows = await database.again<SealRow & { readonly message: Buffer | null; readonly body: Buffer }>(
    statements.take,
    [id, fence],
  );
  const [first] = rows;
  if (!first) throw new ClaimLostError({ callId: name.callId });
  const sealed = sealer.of({ ...first, id });
  // What opens was written by `leave`.
  return rows.flatMap(({ message, body }) =>
    message ? [sealed.open(`message ${hex(message)}`, body) as unknown as InboxMessage] : [],
  );
}
