/** Adds a part that the feed can read but does not follow by itself, such as a new release. */

import { PlusOutlined } from '@ant-design/icons-svg';
import { maxAddedParts } from '@patch/contract/sources/source-settings-endpoints.ts';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import styles from './parts-field.module.css';

export interface AddedPartProps {
  /** Describes the allowed keys with an example. */
  readonly allowedText: string;
  readonly takenKeys: readonly string[];
  /** Number of parts that were already added. */
  readonly added: number;
  readonly onAdd: (key: string) => void;
}

export function AddedPart({ allowedText, takenKeys, added, onAdd }: AddedPartProps) {
  const [entered, setEntered] = useState('');
  const inputId = useId();
  const helpId = useId();
  const key = entered.trim();
  const error = takenKeys.includes(key)
    ? `${key} is already listed.`
    : added >= maxAddedParts
      ? `At most ${maxAddedParts} parts can be added.`
      : null;
  const add = () => {
    if (key === '' || error !== null) return;
    onAdd(key);
    setEntered('');
  };
  return (
    <div className="grid gap-1 mt-1 text-dense">
      <label htmlFor={inputId}>Add a part</label>
      <div className="flex gap-2">
        <Input
          id={inputId}
          value={entered}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          status={error === null ? '' : 'error'}
          aria-invalid={error !== null}
          aria-describedby={helpId}
          onChange={(event) => setEntered(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter would submit the surrounding form.
            event.preventDefault();
            add();
          }}
        />
        <Button
          icon={<Icon of={PlusOutlined} />}
          disabled={key === '' || error !== null}
          onClick={add}
        >
          Add
        </Button>
      </div>
      <p
        id={helpId}
        className={`${styles['help']} text-quiet text-small`}
        data-wrong={error !== null || undefined}
        aria-live="polite"
      >
        {error ?? `Allowed: ${allowedText}.`}
      </p>
    </div>
  );
}
