// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { onLook } from '#webview/page/looked-at.ts';

it('says each time that the person has the keyboard in the page, and not before', () => {
  const looked = vi.fn();
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  onLook(window, looked);
  expect(looked).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('focus'));
  window.dispatchEvent(new Event('focus'));
  expect(looked).toHaveBeenCalledTimes(2);
});

it('says so at once where the keyboard is in it already', () => {
  const looked = vi.fn();
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  onLook(window, looked);
  expect(looked).toHaveBeenCalledOnce();
});
