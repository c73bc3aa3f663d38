import { expect, it } from 'vitest';
import { secretsIn } from '#src/core/messages/secrets/mask-secrets.ts';

it('a secret is masked by its name, and wherever else it stands', () => {
  const given = { user: 'ada', password: 'open sesame', keys: { apiKey: ['k-1234', 7] }, tries: 3 };
  const mask = secretsIn([given]);
  expect(mask(given)).toEqual({ user: 'ada', password: '***', keys: { apiKey: ['***', '***'] }, tries: 3 });
  expect(secretsIn([given], 0)({ pin_token: 1234 })).toEqual({ pin_token: 0 });
  expect(mask(['said open sesame', 'k-1234!'])).toEqual(['said ***', '***!']);
});

it('a schema is no secret, and its words are none: what it has of a value is', () => {
  const schema = {
    type: 'object',
    properties: {
      password: { type: 'string', title: 'Password', minLength: 8, default: 'open sesame' },
      apiKeys: { type: 'array', items: { type: 'string' } },
      name: { type: 'string' },
    },
    required: ['password'],
  };
  const mask = secretsIn([schema]);
  expect(mask(schema)).toEqual({
    ...schema,
    properties: {
      ...schema.properties,
      password: { type: 'string', title: 'Password', minLength: 8, default: '***' },
    },
  });
  expect(mask('a string: open sesame')).toBe('a string: ***');
});

it('what only looks like a schema is masked', () => {
  const value = { properties: { password: { type: 'plain', value: 'open sesame' } } };
  expect(secretsIn([value])(value)).toEqual({ properties: { password: { type: '***', value: '***' } } });
  const typed = { properties: { password: { type: 'string', value: 'open sesame' } } };
  expect(secretsIn([typed])(typed)).toEqual({
    properties: { password: { type: 'string', value: '***' } },
  });
});
