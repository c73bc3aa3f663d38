import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PageHere, type PageHereOptions } from '#src/mcp/published/page-here.ts';
import { tempFolder } from '#test/temp-folder.ts';

/** What browsers send with a press, and with nothing but a script. */
export const PRESSED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' };
const BY_SCRIPT = { 'sec-fetch-mode': 'navigate' };

/** A person with a browser, which a page of this process opens. */
export interface Person {
  readonly page: PageHere;
  /** What was opened, in order: an address each. */
  opened(): string[];
  /** Waits for the so-manieth time that the browser is opened; gives the tab. */
  tab(nth?: number): Promise<PersonTab>;
}

/** The tab with all questions of a process. */
export type PersonTab = Awaited<ReturnType<typeof enterTab>>;

/** A question in a tab's list. */
export interface ListedPage {
  readonly id: string;
  readonly title: string;
  readonly caller: string;
  readonly open: boolean;
}

/** A page of this process, whose opener tells this test. */
export function person(options: Partial<PageHereOptions> = {}): Person {
  const file = join(tempFolder(), 'opened');
  const code = `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.argv[1] + '\\n')`;
  const command = [process.execPath, '-e', code];
  const opened = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
  const tabs = new Map<number, Promise<PersonTab>>();
  const page = new PageHere({
    how: { kind: 'command', command, isElsewhere: false },
    report() {},
    ...options,
  });
  return {
    page,
    opened,
    async tab(nth = 1) {
      while (opened().length < nth) await new Promise((resolve) => setImmediate(resolve));
      const entered = tabs.get(nth) ?? enterTab(readRedirect(opened()[nth - 1] ?? ''));
      tabs.set(nth, entered);
      return await entered;
    },
  };
}

/** What the file says that the opener was given. */
export function readRedirect(address: string): {
  readonly to: string;
  readonly key: string;
  readonly mode: number;
} {
  const file = fileURLToPath(address);
  const html = readFileSync(file, 'utf8');
  const [, to = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const [, key = ''] = /value="([^"]+)"/.exec(html) ?? [];
  return { to, key, mode: statSync(file).mode & 0o777 };
}

/** Goes where a browser goes: names of this machine lead to it. */
export function here(address: string): string {
  return address.replace('parley.localhost', '127.0.0.1');
}

/** What came of it. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends what a browser would; `fetch` says of itself that it is none. */
export async function reach(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  const sent = request(here(address), { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
}

/** Posts as a form does. */
export function submit(to: string, key: string, headers: OutgoingHttpHeaders = BY_SCRIPT): Promise<Answer> {
  return reach(to, { method: 'POST', headers, body: new URLSearchParams({ key }).toString() });
}

/** What a browser does with the file that it is given to open. */
export async function enterTab({ to, key }: { readonly to: string; readonly key: string }) {
  const { origin } = new URL(here(to));
  const { text: tab } = await submit(to, key);
  const [, secret = ''] = /const given = "([^"]+)"/.exec(tab) ?? [];
  const post = (
    path: string,
    body: object = {},
    headers: Record<string, string> = { 'x-parley-tab': secret, origin },
  ) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const list = async (after = 0) =>
    (await (await post(`/list/${after}`)).json()) as { at: number; folder: string; pages: ListedPage[] };
  /** The question of a call that is on show. */
  const question = async ({ id }: ListedPage): Promise<{ id: string; message: string; attempt: number }> => {
    for (;;) {
      const watched = await post(`/watch/${id}`, { ticket: '-', input: {}, after: 0 });
      // biome-ignore lint/suspicious/noExplicitAny: messages of the panel's port
      const { messages } = (await watched.json()) as { messages: any[] };
      for (const { body } of messages.toReversed()) {
        const question = (body.head ?? body).stage?.question;
        if (question) return question;
      }
    }
  };
  return {
    origin,
    secret,
    post,
    list,
    question,
    /** The calls that ask now, once there are so many. */
    async asking(count = 1): Promise<ListedPage[]> {
      for (let at = 0; ; ) {
        const listed = await list(at);
        at = listed.at;
        const open = listed.pages.filter((one) => one.open);
        if (open.length >= count) return open;
      }
    },
    say: ({ id }: ListedPage, message: object) => post(`/send/${id}`, { ticket: '-', messages: [message] }),
  };
}
