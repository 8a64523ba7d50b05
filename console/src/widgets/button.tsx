/** Button of the console. While loading it shows a spinner, ignores clicks and keeps the focus. */
import { LoadingOutlined } from '@ant-design/icons-svg';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon } from './icon.tsx';

export interface ButtonLook {
  /** `primary` is the main action of a view; `quiet` has a background on hover only; `link` looks like a link. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'link' | undefined;
  readonly danger?: boolean | undefined;
  readonly small?: boolean | undefined;
  /** Fills the width of its container. */
  readonly block?: boolean | undefined;
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(
  { look = 'plain', danger, small, block }: ButtonLook,
  more?: string,
): string {
  const names = ['button', look, danger && 'danger', small && 'small', block && 'block'];
  return [...names.map((name) => name && styles[name]), more].filter(Boolean).join(' ');
}

export interface ButtonProps extends ButtonLook, ComponentPropsWithRef<'button'> {
  readonly icon?: ReactNode;
  readonly loading?: boolean;
}

export function Button({
  look,
  danger,
  small,
  block,
  icon,
  loading = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const shownIcon = loading ? <Icon of={LoadingOutlined} spin /> : icon;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ look, danger, small, block }, className)}
      data-bare={[undefined, null, false].includes(children as undefined) || undefined}
      // `disabled` would lose the focus.
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {shownIcon}
      {children}
    </button>
  );
}
