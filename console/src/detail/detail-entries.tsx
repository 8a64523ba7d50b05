/** Detail table with long texts, such as questions that unfold answers and their CVEs. */
import { RightOutlined } from '@ant-design/icons-svg';
import { useDeferredValue, useMemo, useState } from 'react';
import { Fact } from '../values/fact-of-kind.tsx';
import { isEmptyValue } from '../values/value-view.tsx';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { usePrinting } from '../widgets/use-printing.ts';
import styles from './detail-entries.module.css';
import type { DetailTableProps } from './detail-table.tsx';
import { type EntryGroup, type EntryLayout, groupEntries } from './entry-groups.ts';
import { FoldSection } from './fold-section.tsx';
import { filterRows, type TableRow } from './table-rows.ts';
import { TableSearch, toCountText } from './table-search.tsx';

/** More rows than this are folded below their headings. */
const maxUnfolded = 5;
const initialGroups = 50;

interface DetailEntriesProps extends DetailTableProps {
  readonly layout: EntryLayout;
}

export function DetailEntries({ id, table, rows, layout, Heading, isOpen }: DetailEntriesProps) {
  const [words, setWords] = useState('');
  const [all, setAll] = useState(false);
  const searchText = useDeferredValue(words).trim();
  const shown = useMemo(() => filterRows(rows, searchText), [rows, searchText]);
  const groups = groupEntries(shown, layout);
  const printing = usePrinting();
  const visible = all || printing ? groups : groups.slice(0, initialGroups);
  return (
    <FoldSection
      id={id}
      Heading={Heading}
      title={table.label}
      count={toCountText(shown.length, rows.length)}
      isOpen={isOpen}
    >
      <TableSearch table={table.label} rowCount={rows.length} words={words} onWords={setWords} />
      {shown.length === 0 ? (
        <p className="text-quiet">No matching rows.</p>
      ) : (
        <section className="relative divide-y border rounded text-dense" aria-label={table.label}>
          {visible.map((group) => (
            <Group
              key={group.heading ?? ''}
              group={group}
              layout={layout}
              table={table}
              unfolded={searchText !== '' || rows.length <= maxUnfolded}
            />
          ))}
        </section>
      )}
      {visible.length < groups.length && (
        <Button look="link" small onClick={() => setAll(true)}>
          Show {groups.length - visible.length} more
        </Button>
      )}
    </FoldSection>
  );
}

interface GroupProps extends Pick<DetailEntriesProps, 'table' | 'layout'> {
  readonly group: EntryGroup;
  readonly unfolded: boolean;
}

function Group({
  group: { heading, rows },
  table,
  layout: { body, others },
  unfolded,
}: GroupProps) {
  const entries = rows.map((row, index) => (
    // Rows have no id, only an index.
    <div key={index} className={`${styles['entry']} grid gap-2`}>
      {[body, ...others].map((name) => {
        const field = table.fields[name];
        if (field === undefined || isEmptyValue(row[name])) return null;
        return (
          <div key={name} className={name === body ? styles['body'] : 'grid gap-1'}>
            {name === body ? null : (
              <span className="text-quiet text-small">{toLabel(field.label, row[name])}</span>
            )}
            <Fact field={field} value={row[name]} />
          </div>
        );
      })}
    </div>
  ));
  return (
    <details className={styles['group']} open={unfolded}>
      <summary
        className={`${styles['summary']} flex items-baseline gap-2 py-2 px-3 cursor-pointer list-none`}
      >
        <Icon of={RightOutlined} className={styles['mark'] ?? ''} />
        <span className="flex-1 min-w-0 font-550 break-anywhere">{heading ?? 'Further notes'}</span>
        {rows.length > 1 && (
          <span className="flex-none text-quiet text-small figures">
            {rows.length}
            <span className="visually-hidden"> entries</span>
          </span>
        )}
      </summary>
      {entries}
    </details>
  );
}

const toLabel = (label: string, value: TableRow[string]) =>
  Array.isArray(value) && value.length > 1 ? `${value.length} ${label}` : label;
