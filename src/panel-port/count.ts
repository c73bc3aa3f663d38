import * as z from 'zod/mini';

/** A whole number from 0. */
export const count = z.int().check(z.gte(0));

/** A whole number from 1. */
export const ordinal = z.int().check(z.gte(1));
