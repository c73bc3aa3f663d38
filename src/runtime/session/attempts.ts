/** How many answers to one question may be invalid, unless who answers says otherwise. */
export const MAX_ATTEMPTS = 3;
