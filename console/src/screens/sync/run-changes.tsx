/** The records that a run added, changed or withdrew, optionally of one kind. Each links to its record and shows the changed fields before and after. */

import type { Field } from '@patch/catalogue/definition/fields.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { type RunChange, runChangesEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Segmented } from 'antd';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { type ColourName, colour } from '../../theme/tokens.ts';
import { dayDate, exactDate } from '../../values/day-date.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import styles from './run-changes.module.css';
import { RunPage } from './run-page.tsx';

const kindLooks: Readonly<
  Record<RunChange['kind'], { readonly word: string; readonly colour: ColourName }>
> = {
  added: { word: 'Added', colour: 'success' },
  changed: { word: 'Changed', colour: 'accent' },
  withdrawn: { word: 'Withdrawn', colour: 'warning' },
  returned: { word: 'Returned', colour: 'success' },
};

/** The counts of a run. Returned records count as added. */
const countKinds = [
  { of: 'added', label: 'Added', kind: 'added,returned' },
  { of: 'changed', label: 'Changed', kind: 'changed' },
  { of: 'withdrawn', label: 'Withdrawn', kind: 'withdrawn' },
] as const;

export function RunChanges({ run }: { readonly run: Run }) {
  const { kind: requestedKind } = useSearch({ strict: false });
  const navigate = useNavigate();
  const all = run.added + run.changed + run.withdrawn;
  const nonZeroKinds = countKinds.filter(({ of }) => run[of] > 0);
  const selected = nonZeroKinds.find(({ of }) => of === requestedKind);
  const selectKind = (of: (typeof countKinds)[number]['of'] | 'all') =>
    void navigate({
      to: '.',
      search: {
        source: run.source,
        run: run.id,
        show: 'changes',
        ...(of === 'all' ? {} : { kind: of }),
      },
      replace: true,
    });
  return (
    <>
      {nonZeroKinds.length < 2 ? null : (
        <Segmented
          size="small"
          className={styles['sorts'] ?? ''}
          aria-label="Which changes"
          value={selected?.of ?? 'all'}
          onChange={selectKind}
          options={[
            { value: 'all' as const, label: `All ${formatNumber(all)}` },
            ...nonZeroKinds.map(({ of, label }) => ({
              value: of,
              label: `${label} ${formatNumber(run[of])}`,
            })),
          ]}
        />
      )}
      <RunPage
        queryKey={queryKeys.runs.changes(run.id, selected?.kind)}
        load={(query, signal) =>
          callApi(runChangesEndpoint, {
            params: { runId: String(run.id) },
            query: { ...query, kind: selected?.kind },
            signal,
          })
        }
        emptyText={run.endedAt === null ? 'No changes so far.' : 'No changes.'}
        expected={all}
        renderRow={(change) => <ChangeRow key={change.id} change={change} />}
      />
    </>
  );
}

function ChangeRow({ change }: { readonly change: RunChange }) {
  const list = catalogueLists.find(({ key }) => key === change.list);
  const look = kindLooks[change.kind];
  const fields = Object.entries(change.fields);
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-3 text-dense">
        <span
          className={`${styles['kind']} text-small font-500`}
          style={{ color: colour(look.colour) }}
        >
          {look.word}
        </span>
        {list === undefined ? (
          change.identity
        ) : (
          <Link to={recordPath(list, change.rowId)}>{change.identity}</Link>
        )}
        <span className="ml-auto text-quiet text-small">{list?.label ?? change.list}</span>
      </div>
      {fields.length === 0 ? null : (
        <dl className={`${styles['fields']} grid gap-1 m-0 mt-1 text-small`}>
          {fields.map(([name, { was, is }]) => {
            const field = list?.fields[name] ?? list?.detail.facts[name];
            return (
              <div key={name}>
                <dt className="text-quiet">
                  {field?.label ?? list?.detail.tables[name]?.label ?? name}
                </dt>
                <dd className="m-0 break-anywhere">
                  <del className="text-quiet">{formatChangedValue(was, field)}</del>{' '}
                  <ins>{formatChangedValue(is, field)}</ins>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </li>
  );
}

/** Formats a field's value on one line, to show it before and after a change. */
const maxLength = 160;

function formatChangedValue(
  value: unknown,
  field: Pick<Field, 'kind' | 'precision'> | undefined,
): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (field?.kind === 'date' && typeof value === 'number')
    return field.precision === 'day' ? dayDate(value, 'UTC') : exactDate(value, timeZone());
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = Array.isArray(value)
    ? value.every((item) => typeof item === 'string')
      ? value.join(', ')
      : `${value.length} rows`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
