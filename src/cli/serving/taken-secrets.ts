/** What stands in the environment for the server alone. */
const SECRETS = { modelKey: 'PARLEY_MODEL_KEY', statePassword: 'PARLEY_STATE_PASSWORD' } as const;

/** The secrets that were there. */
export type TakenSecrets = { readonly [S in keyof typeof SECRETS]: string | undefined };

/** Takes secrets out of the environment: what is started later, and every tool, does not find them there. */
export function takeSecrets(environment: NodeJS.ProcessEnv = process.env): TakenSecrets {
  const take = (name: string) => {
    const value = environment[name];
    delete environment[name];
    return value === '' ? undefined : value;
  };
  return { modelKey: take(SECRETS.modelKey), statePassword: take(SECRETS.statePassword) };
}
