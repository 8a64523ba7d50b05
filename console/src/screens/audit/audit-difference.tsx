/** Details of an audit entry: its changes or parameters, and the ids that identify it elsewhere. */

import type { AuditRecord } from '@patch/contract/operations/audit-endpoints.ts';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import styles from './audit-difference.module.css';

export function AuditDifference({ entry }: { readonly entry: AuditRecord }) {
  const { id, time, before, after, parameters, requestId, hash, action } = entry;
  const changed = toDifferenceLines(before, after);
  const parameterLines = toDifferenceLines(null, parameters);
  const hasBefore = before !== null && after !== null;
  return (
    <div className="grid gap-3 min-w-0 text-dense">
      {changed.length === 0 && parameterLines.length === 0 ? (
        <p className="text-quiet">{hasBefore ? 'No differences.' : 'No further details.'}</p>
      ) : (
        <table
          className={`${styles['lines']} w-full border-collapse`}
          aria-label={changed.length > 0 ? 'Changes' : 'Request'}
        >
          <ColumnHeads
            of={[
              changed.length > 0 ? 'Field' : 'Parameter',
              changed.length > 0 && 'Before',
              changed.length > 0 ? 'After' : 'Value',
            ]}
          />
          <tbody>
            {(changed.length > 0 ? changed : parameterLines).map(({ name, was, is }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {changed.length > 0 ? (
                  <td>
                    {was === null ? (
                      <span className="text-quiet">–</span>
                    ) : (
                      <del className="text-quiet">{was}</del>
                    )}
                  </td>
                ) : null}
                <td>{is === null ? <span className="text-quiet">–</span> : <ins>{is}</ins>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <dl className="flex flex-wrap gap-y-1 gap-x-6 m-0 text-small">
        <Fact label="Entry">{String(id)}</Fact>
        <Fact label="Exact time">{new Date(time).toISOString()}</Fact>
        <Fact label="Call">{action}</Fact>
        {requestId === '' ? null : (
          <Fact label="Request id" copyText={requestId}>
            {requestId}
          </Fact>
        )}
        <Fact label="Hash" copyText={hash}>
          {hash.slice(0, 16)}…
        </Fact>
      </dl>
    </div>
  );
}

function Fact({
  label,
  copyText,
  children,
}: {
  readonly label: string;
  readonly copyText?: string;
  readonly children: React.ReactNode;
}) {
  return (
    <div className="flex items-center gap-2">
      <dt className="text-quiet">{label}</dt>
      <dd className="flex items-center m-0">
        <code>{children}</code>
        {copyText === undefined ? null : <CopyButton text={copyText} what={label.toLowerCase()} />}
      </dd>
    </div>
  );
}

/** The changes of an audit entry, one line per value. */
interface DifferenceLine {
  /** The path of the value, such as `servers.0.port`. Empty for a single value. */
  readonly name: string;
  /** Null for an added value. */
  readonly was: string | null;
  readonly is: string | null;
}

/** Returns only the values that differ. A value on one side only is returned completely. */
export function toDifferenceLines(before: unknown, after: unknown): readonly DifferenceLine[] {
  const was = flatten(before);
  const is = flatten(after);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .map((name) => ({ name, was: was.get(name) ?? null, is: is.get(name) ?? null }))
    .filter((line) => line.was !== line.is);
}

function flatten(value: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (value !== null && value !== undefined) collect('', value);
  return values;

  function collect(name: string, item: unknown): void {
    const children =
      typeof item === 'object' && item !== null && !isPlainList(item) ? Object.entries(item) : [];
    if (children.length === 0) values.set(name, formatValue(item));
    for (const [key, child] of children) collect(name === '' ? key : `${name}.${key}`, child);
  }
}

const isPlainList = (value: object): value is readonly (string | number)[] =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string' || typeof each === 'number');

function formatValue(value: unknown): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  return typeof value === 'object' ? 'nothing' : String(value as number);
}
