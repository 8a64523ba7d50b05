/** Table of a list's records that share identifiers with a record. */

import { day } from '@patch/catalogue/definition/fields.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { ratingField } from '@patch/catalogue/definition/record-name.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { SharingRecord } from '@patch/contract/records/shared-identifier-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { ColumnHeads } from '../theme/column-heads.tsx';
import { Cell } from '../values/cell-of-kind.tsx';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';
import styles from './sharing-list-records.module.css';

interface SharingListRecordsProps {
  readonly list: CatalogueList;
  readonly records: readonly SharingRecord[];
  /** Adds a column with the shared identifiers. */
  readonly showShares: boolean;
}

const released = day('Released');

export function SharingListRecords({ list, records, showShares }: SharingListRecordsProps) {
  const severity = ratingField(list);
  return (
    <div className={`${styles['window']} border rounded overflow-hidden`}>
      <table
        className={`${styles['table']} w-full border-collapse bg-surface text-dense leading-row`}
        aria-label={list.label}
      >
        <ColumnHeads of={['Record', 'Severity', 'Released', showShares && 'In common']} />
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              <td className={`${styles['record']} break-anywhere`}>
                <Link
                  to={recordPath(list, record.id)}
                  className={
                    getField(list, list.identity[0] ?? 'id').kind === 'identifier' ? 'mono' : ''
                  }
                >
                  {record.identity}
                </Link>
                {record.title !== null && (
                  <span className="block text-quiet text-pretty">{record.title}</span>
                )}
              </td>
              <td data-empty={record.severity === null || undefined}>
                {severity !== undefined && (
                  <Cell field={getField(list, severity)} value={record.severity} />
                )}
              </td>
              <td data-empty={record.releaseDate === null || undefined}>
                <Cell field={released} value={record.releaseDate} />
              </td>
              {showShares && (
                <td className={styles['shares']}>
                  <span className={`${styles['names']} flex flex-wrap gap-x-3`}>
                    {record.shares.map((identifier) => (
                      <Link
                        key={identifier}
                        to={identifierPath(identifier)}
                        preload={false}
                        className="mono"
                      >
                        {identifier}
                      </Link>
                    ))}
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
