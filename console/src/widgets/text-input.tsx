/** One line of text in the browser's own input, which takes no component to be fetched. A field marks it with `aria-invalid` when it is wrong. */
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './text-input.module.css';

interface TextInputProps extends Omit<ComponentPropsWithRef<'input'>, 'size' | 'prefix'> {
  readonly size?: 'small' | 'middle' | 'large';
  readonly prefix?: ReactNode;
  readonly suffix?: ReactNode;
}

export function TextInput({ size = 'middle', prefix, suffix, className, ...rest }: TextInputProps) {
  return (
    <span className={[styles['frame'], className].join(' ').trim()} data-size={size}>
      {prefix}
      <input {...rest} className={styles['input']} />
      {suffix}
    </span>
  );
}
