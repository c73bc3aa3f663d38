import { vi } from 'vitest';
import { PATIENCE } from './patience.ts';

// Vitest's own is one second, and no setting changes it.
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options = PATIENCE) => waitFor(callback, options);
vi.waitUntil = (callback, options = PATIENCE) => waitUntil(callback, options);
