import type { ComponentPropsWithRef } from 'react';
import { useLong } from './use-long.ts';

type Props = Omit<ComponentPropsWithRef<'input'>, 'value' | 'className' | 'ref' | 'onChange'> & {
  readonly value: string;
  readonly onChange: (text: string) => void;
};

/** A field for text on one line, which may be pasted and long all the same. */
export function TextLine({ value, dir, onChange, ...props }: Props) {
  return (
    <input
      {...props}
      {...useLong<HTMLInputElement>(value, dir)}
      className="input"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
