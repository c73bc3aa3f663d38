import { spawn } from 'node:child_process';
import { once as closing } from 'node:events';
import { agentSetups } from '#src/cli/setup/agents.ts';
import { answerForm, decline } from '#src/panel-port/index.ts';
import { plantHostile } from '../mcp/kit/hostile-folder.ts';
import { enterTab, type ListedPage, type PersonTab, readRedirect } from '../mcp/kit/person.ts';
import type { Agent } from './agent.ts';
import type { Desk } from './desk.ts';
import { given, type Hands, handsOf, type Kind, work } from './hands.ts';
import { killAllOf, processesOf } from './processes.ts';
import { callOf, RESULT, type ScriptedModel } from './scripted-model.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** What a cell of the matrix came to. */
export interface Outcome {
  /**
   * `right`: what the person did is what the tool and the model got. `in words`: it did not come to that, and the model was told why.
   * `wrong`: neither.
   */
  readonly is: 'right' | 'in words' | 'wrong';
  /** What the model was told, or what went wrong; cut. */
  readonly heard: string;
}

/** What a cell plays with. */
export interface Rig {
  readonly agent: Agent;
  readonly desk: Desk;
  readonly model: ScriptedModel;
}

/** What is played, and what the desk is like. */
export interface Cell {
  readonly noPerson?: true;
  readonly bySetup?: true;
  /** In a repository that the person does not trust; served are the tools that come with Parley. */
  readonly hostile?: true;
  play(rig: Rig): Promise<Outcome>;
}

type Play = Cell['play'];

const add = (rig: Rig) => once(rig, callOf('add', { a: 19, b: 23 }), (told) => told.includes('42'));
const asks = callOf('ask_kind', { kind: 'text' });

/** Agents whose configuration `parley-mcp setup` writes. */
const WRITTEN = agentSetups.filter(({ byHand }) => !byHand).map(({ id }) => id);

/** Works in a repository of which all runs that somebody runs who is careless, and has Parley show something. */
const inHostile: Cell = {
  hostile: true,
  noPerson: true,
  async play(rig) {
    const ran = plantHostile(rig.desk.project);
    const { heard } = await once(
      rig,
      callOf('show', { title: 'Hi', items: [{ text: 'there' }] }),
      () => true,
    );
    return { is: ran().length === 0 ? 'right' : 'wrong', heard: [...ran(), heard].join('; ') };
  },
};

/** What every agent plays: a call, and a question where nobody is. */
const forAll = (agent: Agent): Readonly<Record<string, Cell>> => ({
  'calls a tool': { play: add },
  'asks, with nobody there': { noPerson: true, play: (rig) => once(rig, asks, () => false) },
  'opens a hostile repository': inHostile,
  ...(WRITTEN.includes(agent.id) && { 'is set up by parley-mcp setup': { bySetup: true, play: add } }),
});

/** What agents without forms play besides, whose person is asked in the browser. */
const onPage: Readonly<Record<string, Play>> = {
  'answers: text': (rig) =>
    once(
      rig,
      asks,
      (told) => told.replaceAll('\\"', '"').includes(JSON.stringify({ accept: given.text })),
      async (tab, page) => {
        const { id: questionId } = await tab.question(page);
        await tab.say(page, answerForm({ questionId, attempt: 1, content: given.text }));
      },
    ),
  declines: (rig) =>
    once(
      rig,
      asks,
      (told) => told.replaceAll('\\"', '"').includes('{"decline":true}'),
      async (tab, page) => {
        const { id: questionId } = await tab.question(page);
        await tab.say(page, decline({ questionId }));
      },
    ),
  'is killed while it asks': async (rig) => {
    const { home } = rig.desk;
    let ended = false;
    const { is, heard } = await once(
      rig,
      asks,
      () => false,
      async () => {
        killAllOf(home, 'cli.js');
        await until('end of the server', () => processesOf(home).length === 0);
        ended = true;
      },
    );
    return ended ? { is: 'right', heard: '' } : { is, heard };
  },
};

/** What agents with forms play besides: each kind of field, and what a person may do. */
function withHands(hands: Hands): Readonly<Record<string, Play>> {
  const { decline } = hands;
  const kinds = Object.keys(given) as Kind[];
  const accept = (kind: Kind) => JSON.stringify({ accept: given[kind] });
  return {
    ...Object.fromEntries(
      kinds.map((kind): [string, Play] => [
        `answers: ${kind}`,
        (rig) =>
          asked(rig, kind, accept(kind), async (terminal) => {
            const agrees = hands.agrees?.on.test(terminal.screen()) ? hands.agrees.does : undefined;
            await work(terminal, agrees ?? hands.answer[kind]);
          }),
      ]),
    ),
    ...(decline && {
      declines: (rig: Rig) => asked(rig, 'text', '{"decline":true}', (terminal) => work(terminal, decline)),
    }),
    cancels: (rig) => asked(rig, 'text', '{"cancel":true}', (terminal) => work(terminal, hands.cancel)),
    'answers late, after 75 s': (rig) =>
      asked(rig, 'text', accept('text'), async (terminal) => {
        await pause(75_000);
        await work(terminal, hands.answer.text);
      }),
    'is killed while it asks': (rig) =>
      asked(rig, 'text', undefined, async () => {
        const { home } = rig.desk;
        killAllOf(home, 'cli.js');
        await until('end of the server', () => processesOf(home).length === 0);
      }),
  };
}

/** The cells of an agent, by what the person or the agent does. */
export function cellsOf(agent: Agent): Readonly<Record<string, Cell>> {
  const hands = handsOf[agent.id];
  const plays = Object.entries(hands ? withHands(hands) : onPage);
  return { ...forAll(agent), ...Object.fromEntries(plays.map(([name, play]) => [name, { play }])) };
}

/** Plays one prompt without a terminal. */
async function once(
  { agent, desk, model }: Rig,
  prompt: string,
  right: (told: string) => boolean,
  answer?: (tab: PersonTab, page: ListedPage) => Promise<unknown>,
): Promise<Outcome> {
  const { command, args, cwd, env } = desk.start(...agent.once(prompt));
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  const timer = setTimeout(() => killAllOf(desk.home), 150_000);
  let closed = false;
  const end = closing(child, 'close').then(() => {
    closed = true;
  });
  try {
    if (answer) {
      while (!closed && desk.opened().length === 0) await pause(100);
      const [opened] = desk.opened();
      if (opened !== undefined) {
        const tab = await enterTab(readRedirect(opened));
        const [page] = await tab.asking();
        if (page) await answer(tab, page);
      }
    }
    await end;
  } finally {
    clearTimeout(timer);
  }
  const told = model.results.join('\n');
  if (told === '') return { is: 'wrong', heard: cut(said) };
  return judge(desk, told, right(told));
}

/** Plays a question of one kind in the agent's terminal. */
async function asked(
  rig: Rig,
  kind: Kind,
  told: string | undefined,
  answer: (terminal: Terminal) => Promise<void>,
): Promise<Outcome> {
  const { agent, desk, model } = rig;
  const hands = handsOf[agent.id];
  if (hands === undefined) throw new Error(`${agent.name} draws no forms`);
  const terminal = openTerminal(desk.start());
  try {
    await terminal.until(/[❯›]/);
    await until('list of tools', () =>
      desk.messages().some(({ from, text }) => from === 'server' && text.includes('"tools":[')),
    );
    await pause(2000);
    await terminal.type(callOf('ask_kind', { kind }));
    await terminal.press('Enter');
    await terminal.until(hands.asks);
    await answer(terminal);
    if (told === undefined) return { is: 'right', heard: '' };
    // Whoever only agrees is asked again, until the tool gives up.
    for (let round = 0; round < 5 && model.results.length === 0; round += 1) {
      await pause(1500);
      if (hands.agrees?.on.test(terminal.screen())) await work(terminal, hands.agrees.does);
    }
    await terminal.until(new RegExp(RESULT), 30);
    const heard = model.results.join('\n');
    return judge(desk, heard, heard.replaceAll('\\"', '"').includes(told));
  } finally {
    terminal.kill();
  }
}

/** In words: an error that the model was given as one. */
function judge(desk: Desk, told: string, right: boolean): Outcome {
  if (right) return { is: 'right', heard: cut(told) };
  const refused = desk
    .messages()
    .some(({ from, text }) => from === 'server' && text.includes('"isError":true'));
  return { is: refused ? 'in words' : 'wrong', heard: cut(told) };
}

/** @throws Error when it has not come true for a minute */
async function until(what: string, isTrue: () => boolean): Promise<void> {
  const limit = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > limit) throw new Error(`There was no ${what} for a minute.`);
    await pause(100);
  }
}

const cut = (text: string) =>
  text
    .replaceAll(/<system-reminder>.*?<\/system-reminder>|\s+/gs, ' ')
    .trim()
    .slice(0, 300);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
