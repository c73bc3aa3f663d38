import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, type OpenedPage } from './served-page.ts';
import { question } from './stages.ts';

/* Files that a person gives: what only a browser can read, draw and make anew. */
const { show } = inBrowser();

const shots = {
  type: 'string',
  title: 'Shots',
  attachment: { accept: ['image/*', 'text/plain'], max: 3, maxBytes: 60_000 },
} as const;

function opened(): Promise<OpenedPage> {
  const schema = { type: 'object', required: ['shots'], properties: { shots } } as const;
  return show(question({ kind: 'form', schema }), 800, {}, '.files');
}

/** A photograph of noise, which is large, as a camera writes it: with words of its own. */
async function photograph(page: Page, width: number, height: number): Promise<Buffer> {
  const data = await page.evaluate(
    ([w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const pen = canvas.getContext('2d');
      for (let at = 0; at < 4_000; at++) {
        if (pen) pen.fillStyle = `hsl(${(at * 47) % 360} 80% 50%)`;
        pen?.fillRect((at * 131) % (w ?? 1), (at * 71) % (h ?? 1), 23, 17);
      }
      return canvas.toDataURL('image/jpeg', 0.95);
    },
    [width, height],
  );
  const jpeg = Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
  const words = Buffer.from('GPS 52.09 5.12');
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, words.length + 2]), words]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles([{ name, mimeType, buffer }]);

/** What the page answered with. */
async function answered(panel: OpenedPage): Promise<readonly Record<string, unknown>[]> {
  await panel.page.getByRole('button', { name: 'Submit' }).click();
  const last = async () => (await panel.said()).at(-1);
  await expect.poll(last, { timeout: 60_000 }).toMatchObject({ name: 'answerForm' });
  const { body } = (await last()) ?? {};
  return (body as { content: { shots: Record<string, unknown>[] } }).content.shots;
}

describe('files of a question', { timeout: 180_000 }, () => {
  it('are pictures made anew, small enough and without what a camera wrote into them', async () => {
    await using panel = await opened();
    const photo = await photograph(panel.page, 2600, 1200);
    expect(photo.includes('GPS 52.09')).toBe(true);
    expect(photo.length).toBeGreaterThan(200_000);
    await choose(panel.page, 'C:\\Users\\ada\\beach.jpg', 'image/jpeg', photo);
    const picture = panel.page.locator('.files-given img');
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 100)).toBe(true);
    const [given] = await answered(panel);
    expect(given).toMatchObject({ type: 'image', mimeType: 'image/jpeg', _meta: { name: 'beach.jpg' } });
    const made = Buffer.from(String(given?.data), 'base64');
    expect(made.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(made.length).toBeLessThanOrEqual(20_000);
    expect(made.includes('GPS')).toBe(false);
    expect(panel.complaints).toEqual([]);
  });

  it('are pasted and dropped, and taken away again by the keyboard', async () => {
    await using panel = await opened();
    const { page } = panel;
    await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 20, height: 20 });
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      for (const [type, name] of [
        ['paste', 'image.png'],
        ['drop', 'notes.txt'],
      ] as const) {
        const data = new DataTransfer();
        data.items.add(
          type === 'paste' && blob
            ? new File([blob], name, { type: 'image/png' })
            : new File(['Grüße'], name, { type: 'text/plain' }),
        );
        const event =
          type === 'paste'
            ? new ClipboardEvent(type, { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
        (type === 'paste' ? document.body : document.querySelector('.files'))?.dispatchEvent(event);
      }
    });
    await expect.poll(() => page.locator('.files-given li').count(), { timeout: 60_000 }).toBe(2);
    await page.getByRole('button', { name: 'Remove image.png' }).press('Enter');
    await expect.poll(() => page.locator('.files-given li').count()).toBe(1);
    expect(await page.evaluate('document.activeElement.matches(".files")')).toBe(true);
    expect(await answered(panel)).toEqual([
      {
        type: 'resource',
        resource: { uri: 'attachment:///notes.txt', mimeType: 'text/plain', text: 'Grüße' },
      },
    ]);
  });

  it.each([
    ['a.heic', '', /HEIC\)\. Save it as JPEG or PNG/],
    ['a.svg', 'image/svg+xml', /SVG\)\. Save it as JPEG or PNG/],
    ['a.exe', 'application/x-msdownload', /not of a type that is asked for: image\/\*, text\/plain/],
    ['a.png', 'image/png', /cannot be read as a picture/],
    ['a.txt', 'text/plain', /too large \(61 KB\): 60 KB are left/],
  ])('are refused in words: %s', async (name, type, words) => {
    await using panel = await opened();
    await choose(panel.page, name, type, Buffer.alloc(61_000, 'x'));
    await panel.page.getByRole('status').getByText(words).waitFor();
    await panel.page.getByRole('button', { name: 'Submit' }).click();
    await panel.page.getByText('Shots is required.').first().waitFor();
    expect(await panel.said()).not.toContainEqual(expect.objectContaining({ name: 'answerForm' }));
  });
});
