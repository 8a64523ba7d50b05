/** Chooses the repositories or releases of a source to follow, shows when each was last read, and adds others by key. */

import { CloseOutlined } from '@ant-design/icons-svg';
import type { SourceSettingsReply } from '@patch/contract/sources/source-settings-endpoints.ts';
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
  filterParts,
  followParts,
  type ListedPart,
  listParts,
  removePart,
  unfollowParts,
} from './parts-selection.ts';
import type { FollowedParts } from './settings-draft.ts';

/** Lists with at least this many parts have a filter. */
const filterFrom = 12;

export interface PartsFieldProps {
  readonly id?: string;
  readonly value?: FollowedParts;
  readonly onChange?: (value: FollowedParts) => void;
  readonly known: SourceSettingsReply['parts'];
  readonly addable: string | null;
  readonly 'aria-describedby'?: string;
}

const unchangedParts: FollowedParts = { leftOut: [], added: [] };

export function PartsField({
  id,
  value = unchangedParts,
  onChange = () => {},
  known,
  addable,
  ...ariaProps
}: PartsFieldProps) {
  const { leftOut, added } = value;
  const listed = listParts(known, added);
  return (
    <div
      id={id}
      className="grid gap-2"
      role="group"
      aria-label="Parts to follow"
      tabIndex={-1}
      {...ariaProps}
    >
      {listed.length === 0 ? (
        <p className="text-quiet text-dense">The parts are known after the first sync.</p>
      ) : (
        <PartsList listed={listed} value={value} onChange={onChange} />
      )}
      {addable === null ? null : (
        <AddedPart
          allowedText={addable}
          takenKeys={listed.map(({ key }) => key)}
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

/** All parts with checkboxes; long lists with a filter. */
function PartsList({ listed, value, onChange }: PartsListProps) {
  const [filter, setFilter] = useState('');
  const shown = filterParts(listed, filter);
  const isFollowed = ({ key }: ListedPart) => !value.leftOut.includes(key);
  const keys = shown.map(({ key }) => key);
  const of = filter.trim() === '' ? '' : ' shown';
  return (
    <>
      <p className={`${styles['help']} text-quiet text-small`}>
        Parts you leave out are no longer synced; their records stay.
      </p>
      <div className="flex items-center gap-3">
        <span className="mr-auto text-quiet text-dense" aria-live="polite">
          {formatNumber(listed.filter(isFollowed).length)} of {formatNumber(listed.length)} followed
        </span>
        <Button
          look="link"
          small
          disabled={shown.every(isFollowed)}
          onClick={() => onChange(followParts(value, keys))}
        >
          Select all{of}
        </Button>
        <Button
          look="link"
          small
          disabled={!shown.some(isFollowed)}
          onClick={() => onChange(unfollowParts(value, keys))}
        >
          Select none{of}
        </Button>
      </div>
      {listed.length < filterFrom ? null : (
        <Input
          size="small"
          allowClear
          aria-label="Filter the parts"
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <ul className={`${styles['parts']} relative m-0 py-1 border rounded list-none`}>
        {shown.map((part) => (
          <PartItem
            key={part.key}
            part={part}
            followed={isFollowed(part)}
            onFollow={(followed) =>
              onChange((followed ? followParts : unfollowParts)(value, [part.key]))
            }
            onRemove={() => onChange(removePart(value, part.key))}
          />
        ))}
        {shown.length === 0 ? <li className="text-quiet text-dense">No matching parts.</li> : null}
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
      <span className="ml-auto text-quiet text-small nowrap">
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
