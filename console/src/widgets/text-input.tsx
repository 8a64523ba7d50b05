/** Native text input without antd. `aria-invalid` marks a wrong value. */
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
