import { type ComponentPropsWithRef, useEffect, useRef, useState } from 'react';

/** Characters of a text from which its field has a size and a direction of its own: a browser that finds them out takes minutes. */
const LONG = 20_000;

type Props = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'className' | 'ref' | 'onChange'> & {
  readonly value: string;
  readonly className?: string;
  readonly onChange: (text: string) => void;
};

/** A field for text of any length, as tall as what is in it, up to a point. Once its text was long, it keeps its size. */
export function TextArea({ value, className = '', dir, onChange, ...props }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [wasLong, setWasLong] = useState(false);
  const isLong = wasLong || value.length > LONG;
  if (isLong && !wasLong) setWasLong(true);

  // Before the browser puts in what is pasted or dropped, and lays it out.
  useEffect(() => {
    const element = area.current;
    const beforeInput = ({ data }: InputEvent) => {
      if (!element || element.value.length + (data?.length ?? 0) <= LONG) return;
      element.dataset.long = 'true';
      if (element.dir === 'auto') element.dir = directionOf(element.value || (data ?? ''));
      setWasLong(true);
    };
    element?.addEventListener('beforeinput', beforeInput);
    return () => element?.removeEventListener('beforeinput', beforeInput);
  }, []);

  return (
    <textarea
      {...props}
      ref={area}
      className={`input ${className}`}
      dir={dir === 'auto' && isLong ? directionOf(value) : dir}
      data-long={isLong || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const FIRST_LETTER = /\p{Letter}/u;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of the script that a text begins with. */
function directionOf(text: string): 'ltr' | 'rtl' {
  return FROM_THE_RIGHT.test(FIRST_LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
}
