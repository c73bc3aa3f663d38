import { t, useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { ChangedFile } from './changed-file.ts';
import '../views.css';
import './file-picker.css';

/** What the file picker shows. It responds with the numbers of the ticked files. */
export type FilePickerProps = ViewProps<
  {
    readonly files: readonly ChangedFile[];
    readonly suggested: readonly number[];
  },
  readonly number[]
>;

const KINDS = {
  added: ['A', () => t('added')],
  modified: ['M', () => t('modified')],
  deleted: ['D', () => t('deleted')],
  renamed: ['R', () => t('renamed')],
  untracked: ['U', () => t('untracked')],
  conflicted: ['!', () => t('in conflict')],
} as const;

/** Changed files to tick. One stop for Tab: the arrow keys walk, Space ticks, Enter goes on. */
export function FilePicker({ files, suggested, onRespond }: FilePickerProps) {
  const [ticked, setTicked] = useDraft<readonly number[]>('ticked', suggested);
  const [current, setCurrent] = useState(files[0]?.number ?? 0);
  const list = useRef<HTMLDivElement>(null);
  const toggle = (number: number) =>
    setTicked(ticked.includes(number) ? ticked.filter((one) => one !== number) : [...ticked, number]);

  const answer = () => {
    const numbers = files.map(({ number }) => number).filter((number) => ticked.includes(number));
    if (numbers.length > 0) onRespond(numbers);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const goOn = usePrimaryAction(
    ticked.length === 0
      ? t('Choose files')
      : t('Continue with {0} of {1} files', ticked.length, files.length),
    answer,
    { disabled: ticked.length === 0 },
  );

  const walk = (event: KeyboardEvent) => {
    const boxes = [...(list.current?.querySelectorAll('input') ?? [])];
    const at = boxes.indexOf(event.target as HTMLInputElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    boxes[Math.min(Math.max(to, 0), boxes.length - 1)]?.focus();
  };

  const groups = [
    [t('Staged'), files.filter(({ staged }) => staged)],
    [t('Changes'), files.filter(({ staged }) => !staged)],
  ] as const;
  const all = ticked.length === files.length;

  return (
    <form className="p-stack" onSubmit={submit}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the boxes in it */}
      <div className="p-stack" ref={list} onKeyDown={walk}>
        {groups.map(
          ([label, members]) =>
            members.length > 0 && (
              <fieldset key={label} className="files-group">
                <legend className="files-legend">
                  {label} <span className="p-badge">{members.length}</span>
                </legend>
                {members.map((file) => (
                  <label key={file.number} className="files-row">
                    <input
                      type="checkbox"
                      className="p-check"
                      checked={ticked.includes(file.number)}
                      tabIndex={file.number === current ? 0 : -1}
                      onFocus={() => setCurrent(file.number)}
                      onChange={() => toggle(file.number)}
                      aria-label={inWords(file)}
                    />
                    <span className="files-name">{nameOf(file.path)}</span>
                    <span className="files-folder p-muted">{folderOf(file)}</span>
                    <span className={`files-kind files-${file.kind}`} title={KINDS[file.kind][1]()}>
                      {KINDS[file.kind][0]}
                    </span>
                  </label>
                ))}
              </fieldset>
            ),
        )}
      </div>
      <div className="tool-buttons">
        {goOn}
        <button
          className="tool-button"
          type="button"
          onClick={() => setTicked(all ? [] : files.map(({ number }) => number))}
        >
          {all ? t('Select None') : t('Select All')}
        </button>
      </div>
      {files.some(({ staged }) => staged) && (
        <span className="p-muted">
          {t('Staged files that you clear are unstaged. Their content is kept.')}
        </span>
      )}
    </form>
  );
}

function inWords({ path, from, kind, staged }: ChangedFile): string {
  const how = KINDS[kind][1]();
  const words = [
    path,
    from === undefined ? how : t('{0} from {1}', how, from),
    ...(staged ? [t('staged')] : []),
  ];
  return words.join(', ');
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function folderOf({ path, from }: ChangedFile): string {
  return from === undefined ? path.split('/').slice(0, -1).join('/') : t('previously {0}', from);
}
