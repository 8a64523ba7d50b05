/** Takes the key of a part that the feed can read and does not follow by itself, such as a release that has just appeared. */

import { PlusOutlined } from '@ant-design/icons-svg';
import { maxAddedParts } from '@patch/contract/source-settings-endpoints.ts';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import styles from './parts-field.module.css';

export interface AddedPartProps {
  /** What may be added, with an example. */
  readonly words: string;
  readonly taken: readonly string[];
  /** How many have been added already. */
  readonly added: number;
  readonly onAdd: (key: string) => void;
}

export function AddedPart({ words, taken, added, onAdd }: AddedPartProps) {
  const [entered, setEntered] = useState('');
  const inputId = useId();
  const helpId = useId();
  const key = entered.trim();
  const wrong = taken.includes(key)
    ? `${key} is already listed.`
    : added >= maxAddedParts
      ? `At most ${maxAddedParts} parts can be added.`
      : null;
  const add = () => {
    if (key === '' || wrong !== null) return;
    onAdd(key);
    setEntered('');
  };
  return (
    <div className={styles['adding']}>
      <label htmlFor={inputId}>Add a part</label>
      <div className={styles['key']}>
        <Input
          id={inputId}
          value={entered}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          status={wrong === null ? '' : 'error'}
          aria-invalid={wrong !== null}
          aria-describedby={helpId}
          onChange={(event) => setEntered(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It would save the whole form.
            event.preventDefault();
            add();
          }}
        />
        <Button
          icon={<Icon of={PlusOutlined} />}
          disabled={key === '' || wrong !== null}
          onClick={add}
        >
          Add
        </Button>
      </div>
      <p
        id={helpId}
        className={styles['help']}
        data-wrong={wrong !== null || undefined}
        aria-live="polite"
      >
        {wrong ?? `Allowed: ${words}.`}
      </p>
    </div>
  );
}
