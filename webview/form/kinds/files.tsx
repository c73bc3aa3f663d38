import { useEffect, useRef, useState } from 'react';
import {
  type AttachmentLimits,
  addressOfFile,
  bytesOf,
  fileTypeOf,
  nameOfFile,
} from '../../../src/core/form/attached.ts';
import type { EmbeddedResourceContent, ImageContent } from '../../../src/core/messages/content.ts';
import type { JsonValue } from '../../../src/core/messages/json.ts';
import { isContentBlock } from '../../../src/core/messages/result-content.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { Button } from '../../parts/button.tsx';
import { Codicon } from '../../parts/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { t } from '../../parts/l10n.ts';
import type { ControlProps } from '../controls/control.ts';
import { kilobytes, type ReadFile, readFile } from '../controls/read-file.ts';
import { emptied, right } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { membersOf, type Raw, rowsOf, type SomeField } from '../field/field.ts';

/** Files that are pasted, dropped or chosen. */
export interface FilesField extends SomeField {
  readonly kind: 'files';
  readonly limits: AttachmentLimits;
}

/** Files that are pasted, dropped or chosen. */
export const filesField: ControlKind<FilesField> = {
  of: ({ attachment }) =>
    // What a form has of that kind was parsed on its way.
    isObject(attachment) ? { kind: 'files', limits: attachment as unknown as AttachmentLimits } : undefined,
  raw: (_, value) => (Array.isArray(value) ? value.flatMap(rowOf) : undefined),
  check(field, raw) {
    const files = filesIn(raw);
    return files.length === 0 ? emptied(field) : right(files.map(blockOf));
  },
  hint: ({ limits: { max, maxBytes } }) =>
    max === 1
      ? t('At most {0} KB. Pictures are made smaller.', kilobytes(maxBytes))
      : t('At most {0} files, {1} KB together. Pictures are made smaller.', max, kilobytes(maxBytes)),
  isGroup: true,
  Control: FilesControl,
};

const TEXT = /^text\/|^application\/json$/;

function blockOf({ name, mimeType, data }: ReadFile): JsonValue {
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, _meta: { name } };
  const text = TEXT.test(mimeType) ? textOf(data) : undefined;
  const resource = {
    uri: addressOfFile(name),
    mimeType,
    ...(text === undefined ? { blob: data } : { text }),
  };
  return { type: 'resource', resource };
}

/** The text of a file; nothing where it is none. */
function textOf(data: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes(data));
  } catch {
    return undefined;
  }
}

function bytes(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

/** The row of a file that was given before. */
function rowOf(value: JsonValue): readonly Raw[] {
  if (!isContentBlock(value) || (value.type !== 'image' && value.type !== 'resource')) return [];
  const data =
    value.type === 'image' ? value.data : (value.resource.blob ?? inBase64(value.resource.text ?? ''));
  return [{ name: nameOfFile(value), mimeType: fileTypeOf(value), data }];
}

function inBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

function filesIn(raw: Raw): readonly ReadFile[] {
  return rowsOf(raw).flatMap((row) => {
    const { name, mimeType, data } = membersOf(row) ?? {};
    return typeof name === 'string' && typeof mimeType === 'string' && typeof data === 'string'
      ? [{ name, mimeType, data }]
      : [];
  });
}

function sizeOf({ mimeType, data }: ReadFile): number {
  const block: ImageContent | EmbeddedResourceContent = { type: 'image', data, mimeType };
  return bytesOf(block) ?? 0;
}

/** A place to paste and drop files, and a button that chooses them; what was given is shown with its picture. */
function FilesControl({ field, head, state, raw, onChange }: ControlProps<FilesField>) {
  const { accept, max, maxBytes } = field.limits;
  const files = filesIn(raw);
  // Files that come while others are read join these.
  const latest = useRef(files);
  latest.current = files;
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [reading, setReading] = useState(0);
  const isFull = files.length >= max;

  const put = (next: readonly ReadFile[]): void => {
    latest.current = next;
    onChange(next.map((file) => ({ ...file })));
  };
  const take = async (given: readonly File[]): Promise<void> => {
    if (state.disabled || given.length === 0) return;
    setReading((count) => count + 1);
    const wrong: string[] = [];
    for (const file of given) {
      if (latest.current.length >= max) {
        wrong.push(max === 1 ? t('Only one file is taken.') : t('Only {0} files are taken.', max));
        break;
      }
      const room = maxBytes - latest.current.reduce((sum, one) => sum + sizeOf(one), 0);
      const read = await readFile(file, field.limits, room).catch(() =>
        t('“{0}” cannot be read.', file.name),
      );
      if (typeof read === 'string') wrong.push(read);
      else put([...latest.current, read]);
    }
    setProblems(wrong);
    setReading((count) => count - 1);
  };
  const taking = useRef(take);
  taking.current = take;

  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      const all = [...document.querySelectorAll('.files')];
      // Where there are several, the one that has the keyboard; else the first.
      const meant = all.find((one) => one.contains(document.activeElement)) ?? all[0];
      if (pasted.length === 0 || meant !== box.current) return;
      event.preventDefault();
      void taking.current(pasted);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);

  return (
    // biome-ignore lint/a11y/useSemanticElements: its legend is the label of the row it is in
    <div
      className="files"
      role="group"
      tabIndex={-1}
      ref={box}
      aria-busy={reading > 0}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take([...event.dataTransfer.files]);
      }}
      {...head}
    >
      {files.length > 0 && (
        <ul className="files-given">
          {files.map((file, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be given twice
            <li key={`${at} ${file.name}`}>
              {file.mimeType.startsWith('image/') ? (
                <img src={`data:${file.mimeType};base64,${file.data}`} alt="" />
              ) : (
                <Codicon name="file" />
              )}
              <bdi className="files-name">{file.name}</bdi>
              <span className="muted">{t('{0} KB', kilobytes(sizeOf(file)))}</span>
              <IconButton
                icon="close"
                label={t('Remove {0}', file.name)}
                disabled={state.disabled}
                onClick={() => {
                  put(files.filter((_, other) => other !== at));
                  box.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <div className="files-place">
          <Button secondary disabled={state.disabled} onClick={() => input.current?.click()}>
            {max === 1 ? t('Choose File…') : t('Choose Files…')}{' '}
            <span className="visually-hidden">{field.title}</span>
          </Button>
          <span className="muted">{t('or paste or drop it here')}</span>
        </div>
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple={max > 1}
        accept={accept.join(',')}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          // The same one again is a change, too.
          event.currentTarget.value = '';
          void take(chosen);
        }}
      />
      <div role="status">
        {reading > 0 && <span className="muted">{t('Reading…')}</span>}
        {problems.map((problem) => (
          <p className="field-error" key={problem}>
            <Codicon name="warning" /> {problem}
          </p>
        ))}
      </div>
    </div>
  );
}
