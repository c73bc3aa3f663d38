/** The signals that end Parley. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long cleanup may take after a signal, milliseconds. */
export const PATIENCE = 5_000;
