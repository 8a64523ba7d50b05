/** Beside the button that saves: whether there is anything to save. */
import { use } from 'react';
import { FormStanding } from './form-standing.ts';
import styles from './unsaved-mark.module.css';

export function UnsavedMark() {
  const { dirty } = use(FormStanding);
  return (
    <span className={styles['mark']} aria-live="polite">
      {dirty ? 'Not saved yet' : null}
    </span>
  );
}
