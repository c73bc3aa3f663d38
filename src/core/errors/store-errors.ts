import { defineError } from './define-error.ts';

/** Another process has taken the call up, or it was deleted: this copy of it may do nothing any more. */
export const ClaimLostError = defineError(
  'CLAIM_LOST',
  'ClaimLostError',
  ({ callId }: { callId: string }) =>
    `the call '${callId}' continues in another process, or was deleted: nothing from this copy is saved. Halt it, and read the call again.`,
);

/** A store, or one call in it, is as large as it may be. */
export const StoreFullError = defineError('STORE_FULL', 'StoreFullError');

/** What keeps the calls cannot be read or written now. */
export const StoreUnavailableError = defineError(
  'STORE_UNAVAILABLE',
  'StoreUnavailableError',
  ({ where, problem }: { where: string; problem: string }) => `calls cannot be saved in ${where}: ${problem}`,
);

/** What was kept was written by a version of Parley that this one does not know. */
export const StoreVersionError = defineError(
  'STORE_VERSION',
  'StoreVersionError',
  ({ where, found, known }: { where: string; found: string; known: string }) =>
    `${where} was written in format ${found}, and this version of Parley reads ${known}. Use the version that wrote it, or store calls elsewhere.`,
);

/** What was kept is not what was written: a program, or a disk, has changed it. */
export const StoreDamagedError = defineError(
  'STORE_DAMAGED',
  'StoreDamagedError',
  ({ where, problem }: { where: string; problem: string }) =>
    `${where} is damaged: ${problem}. The call cannot continue: start it again, or restore a copy of what is damaged.`,
);

/** No key at hand opens what was sealed. */
export const StoreKeyError = defineError(
  'STORE_KEY',
  'StoreKeyError',
  ({ where }: { where: string }) =>
    `${where} was encrypted with a key that is not in the list. Add that key after the current one, or delete the encrypted data.`,
);
