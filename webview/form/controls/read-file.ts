import { type AttachmentLimits, isAccepted } from '../../../src/core/form/attached.ts';
import { t } from '../../parts/l10n.ts';

/** A file that was read: base64. */
export interface ReadFile {
  readonly name: string;
  readonly mimeType: string;
  readonly data: string;
}

/** The longest edge of a picture, pixels: what models look at, and a person can read. */
const LONGEST_EDGE = 2048;

/** How well a picture is kept that has to be smaller, and how much smaller it is made each time. */
const QUALITY = 0.85;
const STEP = 0.75;

/** Names as they come from other systems: without folders, and of a length that can be read. */
const LONGEST_NAME = 120;

/**
 * Reads a file that the person gave. A picture is made anew from what is seen of it: nothing that a camera or a program wrote into it is
 * left, and it is made smaller until it fits into its part of the bytes.
 *
 * @param room bytes that are left
 * @returns what is wrong with it, for the person, where it cannot be taken
 */
export async function readFile(
  file: File,
  { accept, max, maxBytes }: AttachmentLimits,
  room: number,
): Promise<ReadFile | string> {
  const name = (file.name.split(/[\\/]/).at(-1) ?? '').slice(-LONGEST_NAME) || t('Picture');
  const type = file.type === '' ? typeByName(name) : file.type;
  const isHeic = /^image\/hei[cf]/.test(type);
  if (isHeic || type === 'image/svg+xml')
    return t('“{0}” cannot be shown here ({1}). Save it as JPEG or PNG.', name, isHeic ? 'HEIC' : 'SVG');
  const isPicture = type.startsWith('image/');
  // A picture becomes one of these, whatever it was.
  const isTaken = isPicture
    ? ['image/png', 'image/jpeg'].some((made) => isAccepted(accept, made))
    : isAccepted(accept, type);
  if (!isTaken) return t('“{0}” is not of a type that is asked for: {1}', name, accept.join(', '));
  if (!isPicture) {
    return file.size > room
      ? t('“{0}” is too large ({1} KB): {2} KB are left.', name, kilobytes(file.size), kilobytes(room))
      : { name, mimeType: type, data: await base64Of(file) };
  }
  const made = await madeAnew(file, accept, Math.min(room, Math.floor(maxBytes / max))).catch(
    () => undefined,
  );
  if (!made) return t('“{0}” cannot be read as a picture.', name);
  return { name, mimeType: made.type, data: await base64Of(made) };
}

async function madeAnew(file: File, accept: readonly string[], room: number): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file);
  try {
    let scale = Math.min(1, LONGEST_EDGE / Math.max(picture.width, picture.height));
    const keeps = file.type !== 'image/jpeg' && isAccepted(accept, 'image/png');
    for (let type = keeps ? 'image/png' : 'image/jpeg'; scale > 0.02; scale *= STEP) {
      const blob = await drawn(picture, scale, type);
      if (blob && blob.size <= room && isAccepted(accept, blob.type)) return blob;
      // A photograph in a PNG is many times as large.
      if (type === 'image/png' && isAccepted(accept, 'image/jpeg')) {
        type = 'image/jpeg';
        scale /= STEP;
      }
    }
    return undefined;
  } finally {
    picture.close();
  }
}

function drawn(picture: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (pen && type === 'image/jpeg') {
    // What is clear would be black.
    pen.fillStyle = 'white';
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }
  pen?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('it cannot be read'));
    reader.readAsDataURL(blob);
  });
}

/** Browsers know no type for these. */
const TYPES: Readonly<Record<string, string>> = {
  heic: 'image/heic',
  heif: 'image/heif',
  md: 'text/markdown',
  log: 'text/plain',
  ts: 'text/plain',
  yaml: 'text/plain',
  yml: 'text/plain',
};

function typeByName(name: string): string {
  return TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

/** Bytes as people read them. */
export function kilobytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / 1000));
}
