/** The exit code of tests for which this machine lacks something. */
export const NOT_RUN = 75;
