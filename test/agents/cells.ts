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
import { callOf, NO_TOOL, RESULT, type ScriptedModel } from './scripted-model.ts';
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
  /** Served is `inline-server.ts`: a server of this SDK, with a handler of `parley-mcp/inline`. */
  readonly inside?: 'v1' | 'v2';
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

/** A person's first question, by a tool that comes with Parley; heard is how long it took. */
export const firstQuestion: Cell = {
  async play(rig) {
    const fields = [{ name: 'value', label: 'Text' }];
    const prompt = callOf('ask_user', { message: 'Who is it?', fields });
    const isRight = (told: string) => told.replaceAll('\\"', '"').includes('"value":"Ada"');
    const hands = handsOf[rig.agent.id];
    // There is one more field, which stays empty: what a person says who does not answer.
    const empty = async (terminal: Terminal) => {
      await work(terminal, hands?.answer.text ?? []);
      for (let round = 0; round < 4 && rig.model.results.length === 0; round += 1) {
        await work(terminal, [['Enter']]);
        await pause(1000);
      }
    };
    const { is, heard } = hands
      ? await asked(rig, prompt, isRight, empty)
      : await once(rig, prompt, isRight, answerOnPage);
    const all = rig.desk.messages();
    const seconds = (text: string) => {
      const [start, then] = [all[0], all.find((one) => one.from === 'server' && one.text.includes(text))];
      return start && then ? ((then.at - start.at) / 1000).toFixed(1) : '?';
    };
    const took = `${seconds('"tools":[')} s to its tools, ${seconds('"value":"Ada"')} s to the answer`;
    return { is, heard: is === 'right' ? took : heard };
  },
};

async function answerOnPage(tab: PersonTab, page: ListedPage): Promise<void> {
  const { id: questionId } = await tab.question(page);
  await tab.say(page, answerForm({ questionId, attempt: 1, content: given.text }));
}

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
      answerOnPage,
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
          askedKind(rig, kind, accept(kind), async (terminal) => {
            const agrees = hands.agrees?.on.test(terminal.screen()) ? hands.agrees.does : undefined;
            await work(terminal, agrees ?? hands.answer[kind]);
          }),
      ]),
    ),
    ...(decline && {
      declines: (rig: Rig) =>
        askedKind(rig, 'text', '{"decline":true}', (terminal) => work(terminal, decline)),
    }),
    cancels: (rig) => askedKind(rig, 'text', '{"cancel":true}', (terminal) => work(terminal, hands.cancel)),
    'answers late, after 75 s': (rig) =>
      askedKind(rig, 'text', accept('text'), async (terminal) => {
        await pause(75_000);
        await work(terminal, hands.answer.text);
      }),
    'is killed while it asks': (rig) =>
      askedKind(rig, 'text', undefined, async () => {
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
  return {
    ...forAll(agent),
    ...Object.fromEntries(plays.map(([name, play]) => [name, { play }])),
    ...(hands && {
      'is asked inside a server of SDK v1': { inside: 'v1', play: (rig) => givesText(rig, hands) },
      'is asked inside a server of SDK v2': { inside: 'v2', play: (rig) => givesText(rig, hands) },
    }),
  };
}

function givesText(rig: Rig, hands: Hands): Promise<Outcome> {
  const told = JSON.stringify({ accept: given.text });
  return askedKind(rig, 'text', told, (terminal) => work(terminal, hands.answer.text));
}

/** Plays one prompt without a terminal; again where the agent's first turn began before the server was ready, as a person does. */
async function once(
  rig: Rig,
  prompt: string,
  right: (told: string) => boolean,
  answer?: (tab: PersonTab, page: ListedPage) => Promise<unknown>,
  more = 2,
): Promise<Outcome> {
  const { agent, desk, model } = rig;
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
  if (told === '' && said.includes(NO_TOOL) && more > 0) return once(rig, prompt, right, answer, more - 1);
  if (told === '') return { is: 'wrong', heard: cut(said) };
  return judge(desk, told, right(told));
}

/** Plays a question of one kind in the agent's terminal; what is told is none of a call that is cut off. */
function askedKind(
  rig: Rig,
  kind: Kind,
  told: string | undefined,
  answer: (terminal: Terminal) => Promise<void>,
): Promise<Outcome> {
  const isRight =
    told === undefined ? undefined : (heard: string) => heard.replaceAll('\\"', '"').includes(told);
  return asked(rig, callOf('ask_kind', { kind }), isRight, answer);
}

/** Plays a prompt in the agent's terminal, and what it asks there. */
async function asked(
  rig: Rig,
  prompt: string,
  isRight: ((told: string) => boolean) | undefined,
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
    await terminal.type(prompt);
    await terminal.press('Enter');
    await terminal.until(hands.asks);
    await answer(terminal);
    if (isRight === undefined) return { is: 'right', heard: '' };
    // Whoever only agrees is asked again, until the tool gives up.
    for (let round = 0; round < 5 && model.results.length === 0; round += 1) {
      await pause(1500);
      if (hands.agrees?.on.test(terminal.screen())) await work(terminal, hands.agrees.does);
    }
    await terminal.until(new RegExp(RESULT), 30);
    const heard = model.results.join('\n');
    return judge(desk, heard, isRight(heard));
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
