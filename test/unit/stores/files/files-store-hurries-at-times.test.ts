// @module-tag long
import { storeContract } from '../contract/contract.ts';
import { openFilesStore } from './open-files-store.ts';

let asked = 0;

// It begins to hurry, and ends to, in the middle of anything.
storeContract(
  'the files store in a hurry every other time',
  openFilesStore(() => asked++ % 2 === 0),
  false,
);
