/** Where the key of a model stands in the environment. */
const MODEL_KEY = 'PARLEY_MODEL_KEY';

/** Takes the key out of the environment: what is started later, and every tool, does not find it there. */
export function takeModelKey(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const key = environment[MODEL_KEY];
  delete environment[MODEL_KEY];
  return key === '' ? undefined : key;
}
