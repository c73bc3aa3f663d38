// @vitest-environment happy-dom
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { looksLikeMarkdown, Markdown } from '#webview/parts/markdown.tsx';
import { openPanel } from './panel.tsx';

afterEach(cleanup);

async function drawn(text: string): Promise<HTMLElement> {
  const { container } = render(<Markdown>{text}</Markdown>);
  await waitFor(() => expect(container.querySelector('.md')).not.toBeNull());
  return container;
}

describe('A text that was written for a terminal', () => {
  it('is shown as its words, Markdown or not', async () => {
    expect((await drawn('\u001b[1m**12**\u001b[22m passed')).textContent?.trim()).toBe('12 passed');
    const { container } = render(<Markdown>{'\u001b[32m✓\u001b[39m all [31m passed'}</Markdown>);
    expect(container.textContent).toBe('✓ all [31m passed');
  });
});

describe('Markdown in what happened', () => {
  const row = { index: 1, time: 0 } as const;
  const strong = () => [...document.querySelectorAll('.row strong')].map(({ textContent }) => textContent);

  it('is read in questions, completions and what the tool tells, and never in what it logs', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'running' });
    const question = { type: 'question', id: 'elicit-1', number: 1, message: '**Which** one?' } as const;
    await panel.append({ ...row, ...question, state: 'decline' });
    await waitFor(() => expect(strong()).toEqual(['Which']));
    await panel.append(
      {
        ...row,
        index: 2,
        type: 'sampling',
        state: 'answered',
        prompt: 'Say **it**',
        text: '# Yes\n\n- **this**',
      },
      { ...row, index: 3, type: 'log', level: 'notice', message: 'found **three**' },
      { ...row, index: 4, type: 'progress', message: 'at **two**', value: 0.5, done: true },
      { ...row, index: 5, type: 'log', level: 'info', message: 'reads __init__.py' },
    );
    await waitFor(() => expect(strong()).toEqual(['Which', 'it', 'this', 'three', 'two']));
    const lines = [...document.querySelectorAll('.row summary .line-text')].map((one) => one.textContent);
    expect(lines).toEqual(['declined: Which one?', 'Model: Yes']);
    expect(document.querySelector('.log-info')?.textContent).toContain('__init__.py');
  });
});

describe('Code of a known language', () => {
  const coloured = (page: HTMLElement) =>
    [...page.querySelectorAll('pre span')].map((one) => `${one.className.slice(5)} ${one.textContent}`);

  it('has comments, texts, numbers and its own words in colours, and every letter as it was', async () => {
    const code = '// says "it"\nconst it = \'a // b\' + 12;';
    const page = await drawn(`\`\`\`ts\n${code}\n\`\`\``);
    expect(coloured(page)).toEqual(['1 // says "it"', '4 const', "2 'a // b'", '3 12']);
    expect(page.querySelector('pre')?.textContent).toBe(code);
    expect(coloured(await drawn('```sql\nSELECT 1 -- one\n```'))).toEqual(['4 SELECT', '3 1', '1 -- one']);
    expect(coloured(await drawn('```sh\nrun --port 1 # one\n```'))).toEqual(['3 1', '1 # one']);
  });

  it('is plain where no language is named, and where it is long', async () => {
    expect(coloured(await drawn('```\nconst it = 1;\n```'))).toEqual([]);
    expect(coloured(await drawn(`\`\`\`ts\n${'const it = 1;\n'.repeat(2_000)}\`\`\``))).toEqual([]);
  });
});

describe('Markdown of a tool', () => {
  it('becomes headings, lists, tables, code and links', async () => {
    const page = await drawn(
      '# Title\n\n- **one**\n- [x] done\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nlet x = 1 < 2;\n```\n\n[docs](https://example.com/a)',
    );
    expect(page.querySelector('.md-heading-1')?.textContent).toBe('Title');
    expect(page.querySelector('strong')?.textContent).toBe('one');
    expect([...page.querySelectorAll('li')].map((item) => item.textContent)).toEqual([
      'one',
      '☑ done',
      'first',
    ]);
    expect(page.querySelectorAll('td')).toHaveLength(2);
    expect(page.querySelector('pre code')?.textContent).toBe('let x = 1 < 2;');
    expect(page.querySelector('a')?.getAttribute('href')).toBe('https://example.com/a');
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[run](command:workbench.action.quit)',
    '[run](javascript:alert(1))',
    '[run](JaVaScRiPt:alert(1))',
    '[data](data:text/html,<script>1</script>)',
    '[file](file:///etc/passwd)',
    '[vscode](vscode://x.y/z)',
    '![pixel](javascript:1)',
    '<a href="command:x">a</a>',
    '[a]: command:x\n\n[a]',
  ])('stays text, and leads nowhere: %s', async (hostile) => {
    const page = await drawn(`**bold** ${hostile}\n\n${hostile}`);
    expect(page.querySelectorAll('img, script, iframe, svg, [onerror]')).toHaveLength(0);
    for (const link of page.querySelectorAll('a')) expect(link.href).toMatch(/^(https?|mailto):/);
    expect(page.querySelectorAll('a')).toHaveLength(0);
  });

  it('fetches no picture: a picture of the web is a link to it', async () => {
    const page = await drawn('**see** ![a cat](https://example.com/cat.png)');
    expect(page.querySelector('img')).toBeNull();
    expect(page.querySelector('a')?.textContent).toBe('a cat');
  });

  it('that is nested ten thousand deep is still shown', async () => {
    const { container } = render(<Markdown>{`${'> '.repeat(10_000)}deep **down**`}</Markdown>);
    await waitFor(() => expect(container.textContent).toContain('deep'));
  });

  it('is told from plain text, which is shown as it was written', () => {
    for (const plain of ['2 * 3 * 4', 'a_b_c', 'line\n  indented', '5 > 3 | x', 'See https://example.com']) {
      expect(looksLikeMarkdown(plain), plain).toBe(false);
    }
    const { container } = render(<Markdown>{'a\n  b'}</Markdown>);
    expect(container.querySelector('.p-text')?.textContent).toBe('a\n  b');
  });
});
