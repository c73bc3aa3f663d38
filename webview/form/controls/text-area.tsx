import type { ComponentPropsWithRef } from 'react';
import { useLong } from './use-long.ts';

type Props = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'className' | 'ref' | 'onChange'> & {
  readonly value: string;
  readonly className?: string;
  readonly onChange: (text: string) => void;
};

/** A field for text of any length, as tall as what is in it, up to a point. Once its text was long, it keeps its size. */
export function TextArea({ value, className = '', dir, onChange, ...props }: Props) {
  return (
    <textarea
      {...props}
      {...useLong<HTMLTextAreaElement>(value, dir)}
      className={`input ${className}`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
