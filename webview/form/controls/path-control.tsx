import { useEffect, useRef } from 'react';
import { type PickKind, pickPath, showPlace } from '../../../src/panel-port/index.ts';
import { usePage, usePageState } from '../../page/page-context.ts';
import { Button } from '../../parts/button.tsx';
import { t } from '../../parts/l10n.ts';
import { type ControlProps, shownText } from './control.ts';
import type { TextField } from './text-field.ts';
import { TextLine } from './text-line.tsx';

/** A path: typed, or picked in a dialog of the editor. Or lines of a file: shown beside, and taken from what is selected there. */
export function PathControl({
  field,
  head,
  state,
  raw,
  onChange,
  what,
}: ControlProps<TextField> & { what: PickKind }) {
  const page = usePage();
  const { picked } = usePageState();
  // What was picked for an earlier control of this place is not for this one.
  const taken = useRef(picked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a path that was picked is the reason to run
  useEffect(() => {
    if (picked === taken.current) return;
    taken.current = picked;
    if (picked?.control === head.id) onChange(picked.path);
  }, [picked]);
  return (
    <div className="path">
      <TextLine
        {...head}
        {...state}
        dir="auto"
        placeholder={field.placeholder}
        value={shownText(raw)}
        onChange={onChange}
      />
      {!page.outside && what === 'place' && shownText(raw) !== '' && (
        <Button secondary onClick={() => page.post(showPlace({ place: shownText(raw) }))}>
          {t('Show')} <span className="visually-hidden">{field.title}</span>
        </Button>
      )}
      {!page.outside && (
        <Button
          secondary
          disabled={state.disabled}
          onClick={() => page.post(pickPath({ control: head.id, what }))}
        >
          {what === 'place' ? t('Use Selection') : t('Browse…')}{' '}
          <span className="visually-hidden">{field.title}</span>
        </Button>
      )}
    </div>
  );
}
