/** Details of an audit entry: its changes or parameters, and the ids that identify it elsewhere. */
import type { AuditRecord } from '@patch/contract/audit-endpoints.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import styles from './audit-difference.module.css';
import { toDifferenceLines } from './difference-lines.ts';

export function AuditDifference({ entry }: { readonly entry: AuditRecord }) {
  const { id, time, before, after, parameters, requestId, hash, action } = entry;
  const changed = toDifferenceLines(before, after);
  const parameterLines = toDifferenceLines(null, parameters);
  const hasBefore = before !== null && after !== null;
  return (
    <div className={styles['detail']}>
      {changed.length === 0 && parameterLines.length === 0 ? (
        <p className={styles['quiet']}>{hasBefore ? 'No differences.' : 'No further details.'}</p>
      ) : (
        <table className={styles['lines']} aria-label={changed.length > 0 ? 'Changes' : 'Request'}>
          <thead>
            <tr>
              <th scope="col">{changed.length > 0 ? 'Field' : 'Parameter'}</th>
              {changed.length > 0 ? <th scope="col">Before</th> : null}
              <th scope="col">{changed.length > 0 ? 'After' : 'Value'}</th>
            </tr>
          </thead>
          <tbody>
            {(changed.length > 0 ? changed : parameterLines).map(({ name, was, is }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {changed.length > 0 ? (
                  <td>
                    {was === null ? <span className={styles['quiet']}>–</span> : <del>{was}</del>}
                  </td>
                ) : null}
                <td>
                  {is === null ? <span className={styles['quiet']}>–</span> : <ins>{is}</ins>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <dl className={styles['facts']}>
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
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{children}</code>
        {copyText === undefined ? null : <CopyButton text={copyText} what={label.toLowerCase()} />}
      </dd>
    </div>
  );
}
