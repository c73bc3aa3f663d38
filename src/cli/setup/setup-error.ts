/** Why a configuration is left as it is; the message says what to do instead. */
export class SetupError extends Error {}

/** There is another's server of that name. */
export class NameTakenError extends SetupError {}
