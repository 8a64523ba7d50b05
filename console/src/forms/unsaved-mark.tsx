/** Shows beside the save button whether there are unsaved changes. */
import { use } from 'react';
import { FormStatus } from './form-status.ts';
import styles from './unsaved-mark.module.css';

export function UnsavedMark() {
  const { dirty } = use(FormStatus);
  return (
    <span className={styles['mark']} aria-live="polite">
      {dirty ? 'Not saved yet' : null}
    </span>
  );
}
