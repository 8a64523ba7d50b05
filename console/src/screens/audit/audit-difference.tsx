/** What stands behind an entry: what it changed, or what was asked for; and what names it elsewhere. */
import type { AuditRecord } from '@patch/contract/audit-endpoints.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import styles from './audit-difference.module.css';
import { differenceLines } from './difference-lines.ts';

export function AuditDifference({ entry }: { readonly entry: AuditRecord }) {
  const { id, time, before, after, parameters, requestId, hash, action } = entry;
  const changed = differenceLines(before, after);
  const asked = differenceLines(null, parameters);
  const both = before !== null && after !== null;
  return (
    <div className={styles['detail']}>
      {changed.length === 0 && asked.length === 0 ? (
        <p className={styles['quiet']}>{both ? 'No differences.' : 'No further details.'}</p>
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
            {(changed.length > 0 ? changed : asked).map(({ name, was, is }) => (
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
          <Fact label="Request id" copied={requestId}>
            {requestId}
          </Fact>
        )}
        <Fact label="Hash" copied={hash}>
          {hash.slice(0, 16)}…
        </Fact>
      </dl>
    </div>
  );
}

function Fact({
  label,
  copied,
  children,
}: {
  readonly label: string;
  readonly copied?: string;
  readonly children: React.ReactNode;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{children}</code>
        {copied === undefined ? null : <CopyButton text={copied} what={label.toLowerCase()} />}
      </dd>
    </div>
  );
}
