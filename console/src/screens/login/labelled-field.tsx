/** A field of the sign-in form with its label, input and error. */
import { type ReactNode, useId } from 'react';
import styles from './login-screen.module.css';

/** Attributes that connect the input to its label and its error. */
export interface FieldInput {
  readonly id: string;
  readonly 'aria-required': true;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

interface LabelledFieldProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly children: (input: FieldInput) => ReactNode;
}

export function LabelledField({ label, error, children }: LabelledFieldProps) {
  const id = useId();
  const errorId = `${id}error`;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-required': true,
        ...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId }),
      })}
      <p id={errorId} className={styles['wrong']} role={error === undefined ? undefined : 'alert'}>
        {error}
      </p>
    </div>
  );
}
