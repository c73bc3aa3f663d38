/** The version of Parley, as in `package.json`: what is kept of a call says who wrote it. */
export const PARLEY_VERSION = '0.1.0';
