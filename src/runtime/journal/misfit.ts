/** An answer that fitted when it was given, and does not now. */
export class Misfit extends Error {}
