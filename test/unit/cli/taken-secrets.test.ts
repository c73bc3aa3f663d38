import { expect, test } from 'vitest';
import { takeSecrets } from '#src/cli/serving/taken-secrets.ts';

test('secrets of the server are taken out of the environment, and others stay', () => {
  const environment = { PARLEY_MODEL_KEY: 'k', PARLEY_STATE_PASSWORD: 'p', PGPASSWORD: 'of a tool' };
  expect(takeSecrets(environment)).toEqual({ modelKey: 'k', statePassword: 'p' });
  expect(environment).toEqual({ PGPASSWORD: 'of a tool' });
  expect(takeSecrets({ PARLEY_STATE_PASSWORD: '' })).toEqual({
    modelKey: undefined,
    statePassword: undefined,
  });
});
