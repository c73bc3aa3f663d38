import { defineError } from './define-error.ts';

/** Somebody else has taken the call up, or it was thrown away: this copy of it may do nothing any more. */
export const ClaimLostError = defineError('CLAIM_LOST', 'ClaimLostError', (callId: string) => ({
  message: `the call '${callId}' continues in another process, or was deleted: nothing from this copy is saved. Halt it, and read the call again.`,
  details: { callId },
}));

/** A store, or one call in it, is as large as it may be. */
export const StoreFullError = defineError('STORE_FULL', 'StoreFullError', (problem: string) => ({
  message: problem,
  details: { problem },
}));

/** What keeps the calls cannot be read or written now. */
export const StoreUnavailableError = defineError(
  'STORE_UNAVAILABLE',
  'StoreUnavailableError',
  (where: string, problem: string) => ({
    message: `calls cannot be saved in ${where}: ${problem}`,
    details: { where, problem },
  }),
);

/** What was kept was written by a version of Parley that this one does not know. */
export const StoreVersionError = defineError(
  'STORE_VERSION',
  'StoreVersionError',
  (where: string, found: string, known: string) => ({
    message: `${where} was written in format ${found}, and this version of Parley reads ${known}. Use the version that wrote it, or store calls elsewhere.`,
    details: { where, found, known },
  }),
);

/** What was kept is not what was written: somebody, or a disk, has changed it. */
export const StoreDamagedError = defineError(
  'STORE_DAMAGED',
  'StoreDamagedError',
  (where: string, problem: string) => ({
    message: `${where} is damaged: ${problem}. The call cannot continue: start it again, or restore a copy of what is damaged.`,
    details: { where, problem },
  }),
);

/** No key at hand opens what was sealed. */
export const StoreKeyError = defineError('STORE_KEY', 'StoreKeyError', (where: string) => ({
  message: `${where} was encrypted with a key that is not in the list. Add that key after the current one, or delete the encrypted data.`,
  details: { where },
}));
