/** Filters of the audit log, stored in the address. */

import { minDate } from '@patch/contract/form-rules/number-rules.ts';
import type { AuditOutcome } from '@patch/contract/operations/audit-endpoints.ts';
import { auditActionsEndpoint, auditOutcomes } from '@patch/contract/operations/audit-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { DebouncedInput } from '../../forms/debounced-input.tsx';
import { useReaderZone } from '../../values/reader-zone.ts';
import { ZonedDatePicker } from '../../values/zoned-date-picker.tsx';
import { writeInstant } from '../../values/zoned-picker-time.ts';
import { Button } from '../../widgets/button.tsx';
import styles from './audit-filters.module.css';
import { outcomeLooks } from './audit-rows.tsx';
import type { AuditSearch } from './audit-search.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: Partial<AuditSearch>) => void;
  readonly onClear: () => void;
}

export function AuditFilters({ search, onChange, onClear }: AuditFiltersProps) {
  const actions = useQuery({
    queryKey: queryKeys.audit.actions(),
    queryFn: async ({ signal }) => (await callApi(auditActionsEndpoint, { signal })).objList,
    staleTime: 60_000,
  });
  const knownActions =
    actions.data ??
    (search.action === undefined ? [] : [{ action: search.action, summary: search.action }]);
  const filtered = Object.values(search).some((value) => value !== undefined);
  const words = (label: string, name: 'user' | 'subject' | 'requestId') => (
    <DebouncedInput
      className={styles['words'] ?? ''}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={search[name] ?? ''}
      onPause={(typed) => onChange({ [name]: typed === '' ? undefined : typed })}
    />
  );
  return (
    <div
      className={`${styles['filters']} flex flex-wrap items-center gap-2`}
      role="search"
      aria-label="Filter entries"
    >
      {words('Who', 'user')}
      <Select
        className={styles['action'] ?? ''}
        aria-label="Action"
        placeholder="Action"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        value={search.action ?? null}
        options={knownActions.map(({ action, summary }) => ({ value: action, label: summary }))}
        onChange={(action: string | null | undefined) => onChange({ action: action ?? undefined })}
      />
      {words('Subject', 'subject')}
      <Select
        className={styles['outcome'] ?? ''}
        aria-label="Outcome"
        placeholder="Outcome"
        allowClear
        value={search.outcome ?? null}
        options={auditOutcomes.map((value) => ({ value, label: outcomeLooks[value].word }))}
        onChange={(outcome: AuditOutcome | null | undefined) =>
          onChange({ outcome: outcome ?? undefined })
        }
      />
      <DayFilters search={search} onChange={onChange} />
      {words('Request id', 'requestId')}
      {filtered ? (
        <Button look="link" onClick={onClear}>
          Clear all
        </Button>
      ) : null}
    </div>
  );
}

/** The first and the last day shown. */
function DayFilters({ search, onChange }: Pick<AuditFiltersProps, 'search' | 'onChange'>) {
  const zone = useReaderZone();
  const { from, to } = search;
  // Both dates stay as typed, because only the user knows which one is wrong.
  const error =
    from === undefined || to === undefined || to >= from
      ? null
      : minDate(from, writeInstant(zone))(to, 'To');
  return (
    <>
      <span className="inline-flex items-center gap-2 text-quiet">
        <ZonedDatePicker
          aria-label="From"
          withTime={false}
          value={search.from ?? 0}
          max={search.to}
          onChange={(instant) => onChange({ from: instant === 0 ? undefined : instant })}
        />
        <span>to</span>
        <ZonedDatePicker
          aria-label="To"
          withTime={false}
          endOfDay
          value={search.to ?? 0}
          min={search.from}
          onChange={(instant) => onChange({ to: instant === 0 ? undefined : instant })}
        />
      </span>
      {error === null ? null : (
        <p role="alert" className="text-danger text-dense">
          {error}
        </p>
      )}
    </>
  );
}
