/** Which entries are shown; what is chosen stands in the address. */
import type { AuditOutcome } from '@patch/contract/audit-calls.ts';
import { auditActionsCall, auditOutcomes } from '@patch/contract/audit-calls.ts';
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { makeCall } from '../../api/make-call.ts';
import { durations } from '../../theme/tokens.ts';
import { ZonedDatePicker } from '../../values/zoned-date-picker.tsx';
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
    queryKey: ['audit actions'],
    queryFn: async ({ signal }) => (await makeCall(auditActionsCall, { signal })).objList,
    staleTime: 60_000,
  });
  const known = actions.data ?? (search.action === undefined ? [] : [{ action: search.action, summary: search.action }]);
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <div className={styles['filters']} role="search" aria-label="Which entries">
      <RestingInput label="Who" value={search.user} onChange={(user) => onChange({ user })} />
      <Select
        className={styles['action'] ?? ''}
        aria-label="Action"
        placeholder="Action"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        value={search.action ?? null}
        options={known.map(({ action, summary }) => ({ value: action, label: summary }))}
        onChange={(action: string | null | undefined) => onChange({ action: action ?? undefined })}
      />
      <RestingInput label="Subject" value={search.subject} onChange={(subject) => onChange({ subject })} />
      <Select
        className={styles['outcome'] ?? ''}
        aria-label="Outcome"
        placeholder="Outcome"
        allowClear
        value={search.outcome ?? null}
        options={auditOutcomes.map((value) => ({ value, label: outcomeLooks[value].word }))}
        onChange={(outcome: AuditOutcome | null | undefined) => onChange({ outcome: outcome ?? undefined })}
      />
      <span className={styles['days']}>
        <ZonedDatePicker
          aria-label="From"
          withTime={false}
          value={search.from ?? 0}
          max={search.to}
          onChange={(from) => onChange({ from: from === 0 ? undefined : from })}
        />
        <span>to</span>
        <ZonedDatePicker
          aria-label="To"
          withTime={false}
          endOfDay
          value={search.to ?? 0}
          min={search.from}
          onChange={(to) => onChange({ to: to === 0 ? undefined : to })}
        />
      </span>
      <RestingInput label="Request id" value={search.requestId} onChange={(requestId) => onChange({ requestId })} />
      {filtered ? (
        <Button look="link" onClick={onClear}>
          Clear all
        </Button>
      ) : null}
    </div>
  );
}

interface RestingInputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Asks when the typing pauses. */
function RestingInput({ label, value = '', onChange }: RestingInputProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What was asked for from here; more may have been typed since. */
  const [asked, setAsked] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Changed from outside: by Back, or by clearing all.
    if (value !== asked) {
      setAsked(value);
      setTyped(value);
    }
  }
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);

  function type(text: string): void {
    setTyped(text);
    clearTimeout(pause.current);
    const words = text.trim();
    pause.current = setTimeout(() => {
      if (words === asked) return;
      setAsked(words);
      onChange(words === '' ? undefined : words);
    }, durations.tagsSettle);
  }

  return (
    <Input
      className={styles['words'] ?? ''}
      aria-label={label}
      placeholder={label}
      allowClear
      maxLength={200}
      value={typed}
      onChange={({ target }) => type(target.value)}
    />
  );
}
