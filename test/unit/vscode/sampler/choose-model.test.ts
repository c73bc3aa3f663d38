import { describe, expect, it } from 'vitest';
import { chooseModel, type ModelFacts } from '#src/vscode/calls/sampler/choose-model.ts';

const model = (vendor: string, id: string, allowed?: boolean): ModelFacts => ({
  vendor,
  id,
  family: `${id}-family`,
  name: `The ${id}`,
  allowed,
});
const demo = model('demo', 'echo');
const sonnet = model('copilot', 'claude-sonnet-4');
const gpt = model('copilot', 'gpt-5');

describe('chooseModel', () => {
  it('takes the model of the setting before any hint', () => {
    expect(chooseModel([demo, sonnet, gpt], 'copilot/gpt-5', { hints: [{ name: 'claude' }] })).toEqual({
      model: gpt,
      by: 'setting',
    });
    expect(chooseModel([demo, sonnet], 'echo').model).toBe(demo);
  });

  it('never replaces the model of the setting by another', () => {
    expect(chooseModel([demo], 'copilot/gpt-5', { hints: [{ name: 'echo' }] })).toEqual({
      missing: 'setting',
    });
  });

  it('never takes an agent that answers only in its own chats, unless the setting says so', () => {
    const agent = model('copilotcli', 'auto', true);
    expect(chooseModel([agent, demo], '').model).toBe(demo);
    expect(chooseModel([agent], '', { hints: [{ name: 'auto' }] })).toEqual({ missing: 'any' });
    expect(chooseModel([agent, demo], 'copilotcli/auto').model).toBe(agent);
  });

  it('takes a model of the own only where the editor has none, or the setting says so', () => {
    const own = model('parley', 'qwen3', true);
    expect(chooseModel([own, demo], '', { hints: [{ name: 'qwen3' }] }, 'parley/qwen3').model).toBe(demo);
    expect(chooseModel([own], '')).toEqual({ model: own, by: 'default' });
    expect(chooseModel([own, demo], 'parley/qwen3').model).toBe(own);
  });

  it('takes the first hint that is part of a name, an exact one first', () => {
    expect(
      chooseModel([demo, sonnet, gpt], '', { hints: [{ name: 'mistral' }, { name: 'SONNET' }] }),
    ).toEqual({
      model: sonnet,
      by: 'hint',
    });
    const mini = model('copilot', 'gpt-5-mini');
    expect(chooseModel([mini, gpt], '', { hints: [{ name: 'gpt-5' }] }).model).toBe(gpt);
  });

  it('prefers a model that needs no consent, then Copilot, then the first', () => {
    expect(chooseModel([sonnet, { ...demo, allowed: true }], '')).toMatchObject({ by: 'default' });
    expect(chooseModel([sonnet, { ...demo, allowed: true }], '').model?.vendor).toBe('demo');
    expect(chooseModel([demo, gpt], '').model).toBe(gpt);
    expect(chooseModel([demo], '').model).toBe(demo);
  });

  it('goes where the person last went, after the hints', () => {
    const two = [sonnet, demo];
    expect(chooseModel(two, '', undefined, 'demo/echo')).toEqual({ model: demo, by: 'last' });
    expect(chooseModel(two, '', { hints: [{ name: 'sonnet' }] }, 'demo/echo').model).toBe(sonnet);
    expect(chooseModel(two, '', undefined, 'gone/model').model).toBe(sonnet);
  });

  it('says that a default among several vendors is a guess, unless the person allowed one of them', () => {
    expect(chooseModel([sonnet, demo], '')).toEqual({ model: sonnet, by: 'guess' });
    expect(chooseModel([sonnet, gpt], '').model).toBe(sonnet);
    expect(chooseModel([sonnet, gpt], '')).toMatchObject({ by: 'default' });
    expect(chooseModel([{ ...sonnet, allowed: true }, demo], '')).toMatchObject({ by: 'default' });
    const both = [
      { ...sonnet, allowed: true },
      { ...demo, allowed: true },
    ];
    expect(chooseModel(both, '')).toMatchObject({ by: 'guess' });
  });

  it('avoids a model that was refused, unless there is no other', () => {
    expect(chooseModel([{ ...gpt, allowed: false }, demo], '').model).toBe(demo);
    expect(chooseModel([{ ...gpt, allowed: false }], '').model?.id).toBe('gpt-5');
  });

  it('says when there is none', () => {
    expect(chooseModel([], '')).toEqual({ missing: 'any' });
  });
});
