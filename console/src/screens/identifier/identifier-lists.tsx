/** The records of an identifier: those that have it as their name first, those that mention it folded below. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SharingList, SharingRecord } from '@patch/contract/shared-identifier-endpoints.ts';
import { useId, useState } from 'react';
import { SharingListRecords } from '../../detail/sharing-list-records.tsx';
import { IdentifierMachines } from '../../fleet/identifier-machines.tsx';
import { dayDate } from '../../values/day-date.ts';
import { buildMentions } from '../../widgets/build-figure.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { ModuleSelector } from '../../widgets/module-selector.tsx';
import { VendorMark } from '../../widgets/vendor-mark.tsx';
import { formatCount } from './format-count.ts';
import styles from './identifier-screen.module.css';

interface IdentifierListsProps {
  readonly lists: readonly SharingList[];
  readonly identifier: string;
}

export function IdentifierLists({ lists, identifier }: IdentifierListsProps) {
  const own = lists.flatMap((list) => {
    const records = list.records.filter((record) => record.own);
    return records.length === 0 ? [] : [{ ...list, records }];
  });
  if (own.length === 0) return <ChosenLists lists={lists} identifier={identifier} />;
  const mentions = lists.flatMap((list) => {
    const records = list.records.filter((record) => !record.own);
    return records.length === 0 ? [] : [{ ...list, records }];
  });
  return (
    <>
      <Card lists={own} />
      <IdentifierMachines identifier={identifier} />
      <h2 className={styles['part']}>This {identifier.startsWith('KB') ? 'KB' : 'identifier'}</h2>
      {own.map((list) => (
        <ListRecords key={list.list} result={list} identifier={identifier} />
      ))}
      {mentions.length > 0 && (
        <details className={styles['mentions']}>
          <summary>Mentioned by other records</summary>
          <ChosenLists lists={mentions} identifier={identifier} />
        </details>
      )}
    </>
  );
}

/** Says in a line what the identifier is: the title of its first record, its severity and its day. */
function Card({ lists }: { readonly lists: readonly SharingList[] }) {
  const records = lists.flatMap((list) => list.records);
  const first = records.find(({ title }) => title !== null) ?? records[0];
  if (first === undefined) return null;
  return (
    <p className={styles['card']}>
      <strong>{first.title ?? first.identity}</strong>
      {describeRecord(first).map((fact) => ` · ${fact}`)}
    </p>
  );
}

const describeRecord = ({ severity, releaseDate }: SharingRecord): readonly string[] => [
  ...(severity === null ? [] : [severity]),
  ...(releaseDate === null ? [] : [`released ${dayDate(releaseDate, 'UTC')}`]),
];

/** Lets the user show a single list. */
function ChosenLists({ lists, identifier }: IdentifierListsProps) {
  const [chosenKey, setChosen] = useState<string | null>(null);
  const shown = lists.filter(({ list }) => list === (chosenKey ?? list));
  const modules = lists.map(({ list }) => ({
    key: list,
    label: catalogueLists.find(({ key }) => key === list)?.label ?? list,
  }));
  return (
    <>
      {lists.length > 1 && (
        <div className={styles['choice']}>
          <ModuleSelector
            label="List"
            modules={modules}
            all="All lists"
            value={chosenKey}
            onChange={setChosen}
          />
        </div>
      )}
      {shown.map((list) => (
        <ListRecords key={list.list} result={list} identifier={identifier} />
      ))}
    </>
  );
}

interface ListRecordsProps {
  readonly result: SharingList;
  readonly identifier: string;
}

function ListRecords({ result: { list: key, records, totalCount }, identifier }: ListRecordsProps) {
  const heading = useId();
  const list = catalogueLists.find((one) => one.key === key);
  if (list === undefined) return null;
  return (
    <section className={styles['list']} aria-labelledby={heading}>
      <div className={styles['head']}>
        <VendorMark of={list.key} />
        <h2 id={heading} className={styles['label']}>
          {list.label}
        </h2>
        <FigureLink
          figure={buildMentions(list.key, totalCount, identifier)}
          counts={`${totalCount === 1 ? 'record' : 'records'} of ${list.label}`}
        >
          {formatCount(totalCount, 'record', 'records')}
        </FigureLink>
        {totalCount > records.length && (
          <span className={styles['quiet']}>first {records.length} shown</span>
        )}
      </div>
      <SharingListRecords list={list} records={records} showShares={false} />
    </section>
  );
}
