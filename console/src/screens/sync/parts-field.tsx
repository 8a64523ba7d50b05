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
import {
  type ListedPart,
  listedParts,
  partsMatching,
  withFollowed,
  withLeftOut,
  withRemoved,
} from './parts-selection.ts';
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
  onChange = () => {},
  known,
  addable,
  ...described
}: PartsFieldProps) {
  const { leftOut, added } = value;
  const listed = listedParts(known, added);
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
        <PartsList listed={listed} value={value} onChange={onChange} />
      )}
      {addable === null ? null : (
        <AddedPart
          words={addable}
          taken={listed.map(({ key }) => key)}
          added={added.length}
          onAdd={(key) => onChange({ leftOut, added: [...added, key] })}
        />
      )}
    </div>
  );
}

interface PartsListProps extends Required<Pick<PartsFieldProps, 'value' | 'onChange'>> {
  readonly listed: readonly ListedPart[];
}

/** Every part with a check box; long lists with a filter. */
function PartsList({ listed, value, onChange }: PartsListProps) {
  const [filter, setFilter] = useState('');
  const shown = partsMatching(listed, filter);
  const isFollowed = ({ key }: ListedPart) => !value.leftOut.includes(key);
  const keys = shown.map(({ key }) => key);
  const of = filter.trim() === '' ? '' : ' shown';
  return (
    <>
      <p className={styles['help']}>
        Parts you leave out are no longer synced; their records stay.
      </p>
      <div className={styles['head']}>
        <span className={styles['quiet']} aria-live="polite">
          {formatNumber(listed.filter(isFollowed).length)} of {formatNumber(listed.length)} followed
        </span>
        <Button
          look="link"
          small
          disabled={shown.every(isFollowed)}
          onClick={() => onChange(withFollowed(value, keys))}
        >
          Select all{of}
        </Button>
        <Button
          look="link"
          small
          disabled={!shown.some(isFollowed)}
          onClick={() => onChange(withLeftOut(value, keys))}
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
          <PartItem
            key={part.key}
            part={part}
            followed={isFollowed(part)}
            onFollow={(follow) =>
              onChange((follow ? withFollowed : withLeftOut)(value, [part.key]))
            }
            onRemove={() => onChange(withRemoved(value, part.key))}
          />
        ))}
        {shown.length === 0 ? <li className={styles['quiet']}>No matching parts.</li> : null}
      </ul>
    </>
  );
}

interface PartItemProps {
  readonly part: ListedPart;
  readonly followed: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly onRemove: () => void;
}

function PartItem({ part, followed, onFollow, onRemove }: PartItemProps) {
  return (
    <li>
      <CheckBox checked={followed} onChange={onFollow}>
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
          onClick={onRemove}
        />
      ) : null}
    </li>
  );
}
