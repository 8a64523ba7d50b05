/** Which repositories or releases of a source are followed, each with when it was last read; and one more by its key. */

import { CloseOutlined } from '@ant-design/icons-svg';
import type { SourceSettingsReply } from '@patch/contract/source-settings-endpoints.ts';
import { Input } from 'antd';
import { useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { AddedPart } from './added-part.tsx';
import styles from './parts-field.module.css';
import type { FollowedParts } from './settings-draft.ts';

/** From this many on a list is too long to be looked through. */
const manyParts = 12;

export interface PartsFieldProps {
  readonly id?: string;
  readonly value?: FollowedParts;
  readonly onChange?: (value: FollowedParts) => void;
  readonly known: SourceSettingsReply['parts'];
  readonly addable: string | null;
  readonly 'aria-describedby'?: string;
}

const nothing: FollowedParts = { leftOut: [], added: [] };

export function PartsField({
  id,
  value = nothing,
  onChange,
  known,
  addable,
  ...described
}: PartsFieldProps) {
  const { leftOut, added } = value;
  const [filter, setFilter] = useState('');
  const listed = listedParts(known, added);
  const looked = filter.trim().toLowerCase();
  const shown = listed.filter(
    ({ key, label }) => looked === '' || `${key}\n${label}`.toLowerCase().includes(looked),
  );
  const keys = shown.map(({ key }) => key);
  const without = (all: readonly string[], some: readonly string[]) =>
    all.filter((key) => !some.includes(key));
  const follow = (some: readonly string[]) =>
    onChange?.({ added, leftOut: without(leftOut, some) });
  const leave = (some: readonly string[]) =>
    onChange?.({ added, leftOut: [...without(leftOut, some), ...some] });
  const followed = listed.filter(({ key }) => !leftOut.includes(key)).length;
  const of = looked === '' ? '' : ' shown';

  return (
    <div
      id={id}
      className={styles['field']}
      role="group"
      aria-label="Parts to follow"
      tabIndex={-1}
      {...described}
    >
      {listed.length === 0 ? (
        <p className={styles['quiet']}>The parts are known after the first sync.</p>
      ) : (
        <>
          <p className={styles['help']}>
            Parts you leave out are no longer synced; their records stay.
          </p>
          <div className={styles['head']}>
            <span className={styles['quiet']} aria-live="polite">
              {formatNumber(followed)} of {formatNumber(listed.length)} followed
            </span>
            <Button
              look="link"
              small
              disabled={keys.every((key) => !leftOut.includes(key))}
              onClick={() => follow(keys)}
            >
              Select all{of}
            </Button>
            <Button
              look="link"
              small
              disabled={keys.every((key) => leftOut.includes(key))}
              onClick={() => leave(keys)}
            >
              Select none{of}
            </Button>
          </div>
          {listed.length < manyParts ? null : (
            <Input
              size="small"
              allowClear
              aria-label="Filter the parts"
              placeholder="Filter"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          )}
          <ul className={styles['parts']}>
            {shown.map((part) => (
              <li key={part.key}>
                <CheckBox
                  checked={!leftOut.includes(part.key)}
                  onChange={(checked) => (checked ? follow([part.key]) : leave([part.key]))}
                >
                  {part.label}
                </CheckBox>
                <span className={styles['read']}>
                  {part.isNew ? (
                    'added when saved'
                  ) : part.readAt === null ? (
                    'never read'
                  ) : (
                    <>
                      read <TimeAgo value={part.readAt} />
                    </>
                  )}
                </span>
                {part.added ? (
                  <Button
                    look="quiet"
                    small
                    icon={<Icon of={CloseOutlined} />}
                    aria-label={`Remove ${part.label}`}
                    title="Remove: no longer followed; its records stay"
                    onClick={() =>
                      onChange?.({
                        added: without(added, [part.key]),
                        leftOut: without(leftOut, [part.key]),
                      })
                    }
                  />
                ) : null}
              </li>
            ))}
            {shown.length === 0 ? <li className={styles['quiet']}>No matching parts.</li> : null}
          </ul>
        </>
      )}
      {addable === null ? null : (
        <AddedPart
          words={addable}
          taken={listed.map(({ key }) => key)}
          added={added.length}
          onAdd={(key) => onChange?.({ leftOut, added: [...added, key] })}
        />
      )}
    </div>
  );
}

interface ListedPart {
  readonly key: string;
  readonly label: string;
  readonly added: boolean;
  readonly readAt: number | null;
  /** The server has not seen it yet. */
  readonly isNew: boolean;
}

/** Those that were added and are removed again go at once; those just added come last. */
function listedParts(
  known: SourceSettingsReply['parts'],
  added: readonly string[],
): readonly ListedPart[] {
  const stay = known
    .filter((part) => !part.added || added.includes(part.key))
    .map((part) => ({ ...part, isNew: false }));
  const fresh = added.filter((key) => !known.some((part) => part.key === key));
  return [
    ...stay,
    ...fresh.map((key) => ({ key, label: key, added: true, readAt: null, isNew: true })),
  ];
}
