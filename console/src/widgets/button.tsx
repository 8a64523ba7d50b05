/** Button of the console. While loading it shows a spinner, ignores clicks and keeps the focus. */
import { LoadingOutlined } from '@ant-design/icons-svg';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon } from './icon.tsx';

export interface ButtonLook {
  /** `primary` is the main action of a view; `quiet` has a background on hover only; `link` looks like a link. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'link';
  readonly danger?: boolean;
  readonly small?: boolean;
  /** Fills the width of its container. */
  readonly block?: boolean;
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass(
  { look = 'plain', danger = false, small = false, block = false }: ButtonLook,
  more?: string,
): string {
  const classNames = [
    styles['button'],
    styles[look],
    danger && styles['danger'],
    small && styles['small'],
    block && styles['block'],
    more,
  ];
  return classNames.filter((name) => typeof name === 'string' && name !== '').join(' ');
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
      className={buttonClass(
        {
          ...(look && { look }),
          ...(danger && { danger }),
          ...(small && { small }),
          ...(block && { block }),
        },
        className,
      )}
      data-bare={children === undefined || undefined}
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
