// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ToHost } from '#src/panel-port/index.ts';
import { mount } from '#webview/mount.tsx';
import type { Page } from '#webview/page/page.ts';

it('a page that cannot be drawn says so to the host, once, and stays empty', () => {
  const posted: ToHost[] = [];
  const broken: Partial<Page> = {
    subscribe: () => () => {},
    state: () => {
      throw new Error('no state');
    },
    post: (message) => void posted.push(message),
  };
  const container = document.createElement('div');
  act(() => mount(broken as Page, container));
  expect(posted).toMatchObject([
    { name: 'pageProblem', body: { message: 'The run panel failed: no state', detail: expect.any(String) } },
  ]);
  expect(container.textContent).toBe('');
});
