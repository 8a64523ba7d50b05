/** A field of the sign-in form: its label, its input, and what is wrong with it. */
import { type ReactNode, useId } from 'react';
import styles from './login-screen.module.css';

/** What ties the input to its label and to its error. */
export interface FieldInput {
  readonly id: string;
  readonly 'aria-required': true;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

interface LabelledFieldProps {
  readonly label: string;
  readonly wrong: string | undefined;
  readonly children: (input: FieldInput) => ReactNode;
}

export function LabelledField({ label, wrong, children }: LabelledFieldProps) {
  const id = useId();
  const error = `${id}error`;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-required': true,
        ...(wrong !== undefined && { 'aria-invalid': true, 'aria-describedby': error }),
      })}
      <p id={error} className={styles['wrong']} role={wrong === undefined ? undefined : 'alert'}>
        {wrong}
      </p>
    </div>
  );
}
