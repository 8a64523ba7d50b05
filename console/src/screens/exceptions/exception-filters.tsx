/** Filters of exceptions, stored in the address. */
import {
  type ExceptionKind,
  exceptionKinds,
  exceptionKindWords,
} from '@patch/contract/fleet/exception-kinds.ts';
import { Select } from 'antd';
import { useGroups } from '../../fleet/use-groups.ts';
import { Button } from '../../widgets/button.tsx';
import styles from './exceptions-screen.module.css';
import type { ExceptionsSearch } from './exceptions-search.ts';

interface ExceptionFiltersProps {
  readonly search: ExceptionsSearch;
  readonly onChange: (search: ExceptionsSearch) => void;
}

/** Negative: days in which they ended. */
const ends = [
  ...[7, 30, 90].map((days) => ({ value: days, label: `End within ${days} days` })),
  { value: -30, label: 'Ended, 30 days' },
  { value: -366, label: 'Ended, one year' },
];
const owners = [
  { value: 'me', label: 'Mine' },
  { value: 'none', label: 'Without an owner' },
];

export function ExceptionFilters({ search, onChange }: ExceptionFiltersProps) {
  const { kind, endsWithin, endedWithin, owner, group } = search;
  const end = endsWithin ?? (endedWithin === undefined ? null : -endedWithin);
  const groups = useGroups();
  const known = (values: typeof owners, value: string | undefined) =>
    value === undefined || values.some((one) => one.value === value)
      ? values
      : [...values, { value, label: value }];
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <div
      className={`${styles['filters']} flex flex-wrap items-center gap-2`}
      role="search"
      aria-label="Filter exceptions"
    >
      <Select<ExceptionKind>
        aria-label="Kind"
        placeholder="Kind"
        allowClear
        value={kind ?? null}
        options={exceptionKinds.map((value) => ({ value, label: exceptionKindWords[value] }))}
        onChange={(value) => onChange({ ...search, kind: value ?? undefined })}
      />
      <Select<number>
        aria-label="End"
        placeholder="End"
        allowClear
        value={end}
        options={ends}
        onChange={(value) =>
          onChange({
            ...search,
            endsWithin: value > 0 ? value : undefined,
            endedWithin: value < 0 ? -value : undefined,
          })
        }
      />
      <Select<string>
        aria-label="Owner"
        placeholder="Owner"
        allowClear
        value={owner ?? null}
        options={known(owners, owner)}
        onChange={(value) => onChange({ ...search, owner: value ?? undefined })}
      />
      <Select<string>
        aria-label="Group of machines"
        placeholder="Group of machines"
        allowClear
        showSearch
        value={group ?? null}
        options={known(
          (groups.data ?? []).map(({ name }) => ({ value: name, label: name })),
          group,
        )}
        onChange={(value) => onChange({ ...search, group: value ?? undefined })}
      />
      {isFiltered && (
        <Button look="link" onClick={() => onChange({})}>
          Clear all
        </Button>
      )}
    </div>
  );
}
