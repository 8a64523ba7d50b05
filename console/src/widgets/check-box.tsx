/** Checkbox with an indeterminate state. */
import type { ComponentProps, ReactNode } from 'react';
import styles from './check-box.module.css';

interface CheckBoxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  readonly indeterminate?: boolean;
  readonly onChange?: (checked: boolean) => void;
  readonly children?: ReactNode;
}

export function CheckBox({
  indeterminate = false,
  onChange,
  children,
  className,
  ...rest
}: CheckBoxProps) {
  const box = (
    <input
      {...rest}
      type="checkbox"
      className={styles['box']}
      ref={(input) => {
        if (input !== null) input.indeterminate = indeterminate;
      }}
      onChange={({ target }) => onChange?.(target.checked)}
    />
  );
  if (children === undefined) return box;
  return (
    <label className={`${styles['label']} ${className ?? ''}`}>
      {box}
      <span>{children}</span>
    </label>
  );
}
