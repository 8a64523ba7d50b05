/** Detail table of a record, such as packages or files, with search, sorting and pages. */

import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons-svg';
import type { DetailTable as DetailTableDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { useDeferredValue, useMemo, useState } from 'react';
import { Cell } from '../values/cell-of-kind.tsx';
import { isEmptyValue } from '../values/value-view.tsx';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { usePrinting } from '../widgets/use-printing.ts';
import styles from './detail-table.module.css';
import { FoldSection } from './fold-section.tsx';
import { filterRows, sortRows, type TableRow } from './table-rows.ts';
import { TableSearch, toCountText } from './table-search.tsx';

const pageSize = 50;

type DetailTableField = DetailTableDefinition['fields'][string];

export interface DetailTableProps {
  /** Fragment of an address that opens the table. */
  readonly id: string;
  readonly table: DetailTableDefinition;
  readonly rows: readonly TableRow[];
  /** One level below the record's heading. */
  readonly Heading: 'h2' | 'h3';
  readonly isOpen: boolean;
}

export function DetailTable({ id, table, rows, Heading, isOpen }: DetailTableProps) {
  const view = useTableView(table, rows);
  const printing = usePrinting();
  const { shown, from } = view;
  const visible = printing ? shown : shown.slice(from, from + pageSize);
  return (
    <FoldSection
      id={id}
      Heading={Heading}
      title={table.label}
      count={toCountText(shown.length, rows.length)}
      isOpen={isOpen}
    >
      <TableSearch
        table={table.label}
        rowCount={rows.length}
        words={view.words}
        onWords={view.search}
      />
      {shown.length === 0 ? (
        <p className="text-quiet">No matching rows.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reached by keys
        <section className="scroll-box" aria-label={table.label} tabIndex={0}>
          <table className={`${styles['table']} w-full border-collapse text-small leading-row`}>
            <thead>
              <tr>
                {view.columns.map(([name, field]) => (
                  <Head
                    key={name}
                    name={name}
                    field={field}
                    sort={view.sort}
                    onSort={view.sortBy}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {visible.map((row, index) => (
                // Rows have no id, only an index.
                <tr key={from + index}>
                  {view.columns.map(([name, field]) => (
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
      {shown.length > pageSize && !printing && (
        <Pages label={table.label} total={shown.length} from={from} onTurn={view.turn} />
      )}
    </FoldSection>
  );
}

interface TableView {
  readonly words: string;
  /** Field name, with a leading minus for descending; empty for the vendor's order. */
  readonly sort: string;
  /** Matching rows, sorted; the page begins at `from`. */
  readonly shown: readonly TableRow[];
  readonly from: number;
  readonly columns: readonly (readonly [string, DetailTableField])[];
  readonly search: (words: string) => void;
  readonly sortBy: (sort: string) => void;
  readonly turn: (step: 1 | -1) => void;
}

/** Search, order and page of the rows. A new search or order returns to the first page. */
function useTableView(table: DetailTableDefinition, rows: readonly TableRow[]): TableView {
  const [words, setWords] = useState('');
  const [sort, setSort] = useState('');
  const [page, setPage] = useState(1);
  const searchText = useDeferredValue(words);
  const shown = useMemo(
    () => sortRows(filterRows(rows, searchText), table.fields, sort),
    [rows, searchText, table, sort],
  );
  // Empty columns are omitted.
  const columns = useMemo(
    () =>
      Object.entries(table.fields).filter(([name]) => rows.some((row) => !isEmptyValue(row[name]))),
    [rows, table],
  );
  const current = Math.min(page, Math.max(1, Math.ceil(shown.length / pageSize)));
  return {
    words,
    sort,
    shown,
    from: (current - 1) * pageSize,
    columns,
    search: (next) => {
      setWords(next);
      setPage(1);
    },
    sortBy: (next) => {
      setSort(next);
      setPage(1);
    },
    turn: (step) => setPage(current + step),
  };
}

interface HeadProps {
  readonly name: string;
  readonly field: DetailTableField;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Each click changes the order: ascending, descending, the vendor's. */
function Head({ name, field, sort, onSort }: HeadProps) {
  return (
    <th
      scope="col"
      aria-sort={sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'}
      title={field.help}
    >
      <button
        type="button"
        className={styles['sort']}
        data-sorted={sort.replace(/^-/, '') === name || undefined}
        onClick={() => onSort(sort === name ? `-${name}` : sort === `-${name}` ? '' : name)}
      >
        {field.label}
        {sort === `-${name}` ? <Icon of={CaretDownOutlined} /> : <Icon of={CaretUpOutlined} />}
      </button>
    </th>
  );
}

interface PagesProps {
  readonly label: string;
  readonly total: number;
  readonly from: number;
  readonly onTurn: (step: 1 | -1) => void;
}

function Pages({ label, total, from, onTurn }: PagesProps) {
  return (
    <nav
      className="flex items-center justify-end gap-2 text-quiet text-small figures"
      aria-label={`Pages of ${label}`}
    >
      <span>
        {from + 1}–{Math.min(from + pageSize, total)} of {total.toLocaleString('en')}
      </span>
      <Button small disabled={from === 0} onClick={() => onTurn(-1)}>
        Previous
      </Button>
      <Button small disabled={from + pageSize >= total} onClick={() => onTurn(1)}>
        Next
      </Button>
    </nav>
  );
}
