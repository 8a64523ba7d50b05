/** A table inside a record: the packages of an erratum, the files of an update. Long ones are searched, sorted and paged here. */

import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons-svg';
import type { DetailTable as DetailTableDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useDeferredValue, useMemo, useState } from 'react';
import { Cell } from '../values/cell-of-kind.tsx';
import { isEmptyValue } from '../values/value-view.tsx';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { DetailSectionHead } from './detail-section-head.tsx';
import styles from './detail-table.module.css';
import { rowsMatching, rowsSorted, type TableRow } from './table-rows.ts';

const pageLength = 50;

interface DetailTableProps {
  readonly table: DetailTableDefinition;
  readonly rows: readonly TableRow[];
  /** The heading that fits below the record's own. */
  readonly Heading: 'h2' | 'h3';
}

export function DetailTable({ table, rows, Heading }: DetailTableProps) {
  const [words, setWords] = useState('');
  const [sort, setSort] = useState('');
  const [page, setPage] = useState(1);
  const asked = useDeferredValue(words);
  const shown = useMemo(
    () => rowsSorted(rowsMatching(rows, asked), table.fields, sort),
    [rows, asked, table, sort],
  );
  // A column that no row fills says nothing.
  const columns = useMemo(
    () =>
      Object.entries(table.fields).filter(([name]) => rows.some((row) => !isEmptyValue(row[name]))),
    [rows, table],
  );
  const pages = Math.max(1, Math.ceil(shown.length / pageLength));
  const from = (Math.min(page, pages) - 1) * pageLength;
  return (
    <div className={styles['section']}>
      <DetailSectionHead
        table={table}
        Heading={Heading}
        shown={shown.length}
        all={rows.length}
        words={words}
        onWords={(next) => {
          setWords(next);
          setPage(1);
        }}
      />
      {shown.length === 0 ? (
        <p className={styles['none']}>No matching rows.</p>
      ) : (
        <section className={styles['scroller']} aria-label={table.label} tabIndex={0}>
          <table className={styles['table']}>
            <thead>
              <tr>
                {columns.map(([name, field]) => (
                  <th
                    key={name}
                    scope="col"
                    aria-sort={
                      sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
                    }
                    title={field.help}
                  >
                    <button
                      type="button"
                      className={styles['sort']}
                      data-sorted={sort.replace(/^-/, '') === name || undefined}
                      onClick={() => {
                        setSort(sort === name ? `-${name}` : sort === `-${name}` ? '' : name);
                        setPage(1);
                      }}
                    >
                      {field.label}
                      {sort === `-${name}` ? (
                        <Icon of={CaretDownOutlined} />
                      ) : (
                        <Icon of={CaretUpOutlined} />
                      )}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.slice(from, from + pageLength).map((row, place) => (
                // The vendor gives these rows no name of their own; their place is all there is.
                <tr key={from + place}>
                  {columns.map(([name, field]) => (
                    <td key={name}>
                      <Cell field={field} value={row[name]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {pages > 1 && (
        <nav className={styles['pages']} aria-label={`Pages of ${table.label}`}>
          <span>
            {from + 1}–{Math.min(from + pageLength, shown.length)} of{' '}
            {shown.length.toLocaleString('en')}
          </span>
          <Button small disabled={from === 0} onClick={() => setPage(Math.min(page, pages) - 1)}>
            Previous
          </Button>
          <Button
            small
            disabled={from + pageLength >= shown.length}
            onClick={() => setPage(Math.min(page, pages) + 1)}
          >
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}
