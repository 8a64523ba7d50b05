/** The one button of the console. While it is at work it turns a wheel and takes no press, and keeps its place and focus. */
import { LoadingOutlined } from '@ant-design/icons-svg';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon } from './icon.tsx';

export interface ButtonLook {
  /** The one main action of a place is `primary`; `quiet` shows its ground under the pointer only; `link` reads as a link. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'link';
  readonly danger?: boolean;
  readonly small?: boolean;
  /** As wide as its place. */
  readonly block?: boolean;
}

/** For what looks like a button and is a link. */
export function buttonClass(
  { look = 'plain', danger = false, small = false, block = false }: ButtonLook,
  more?: string,
): string {
  const chosen = [
    styles['button'],
    styles[look],
    danger && styles['danger'],
    small && styles['small'],
    block && styles['block'],
    more,
  ];
  return chosen.filter((name) => typeof name === 'string' && name !== '').join(' ');
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
  const drawing = loading ? <Icon of={LoadingOutlined} spin /> : icon;
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
      // Not `disabled`, which would lose the focus.
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {drawing}
      {children}
    </button>
  );
}
