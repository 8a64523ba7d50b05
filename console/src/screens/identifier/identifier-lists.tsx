/** The records of an identifier: those that have it as their name first, those that mention it folded below. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type {
  SharingList,
  SharingRecord,
} from '@patch/contract/records/shared-identifier-endpoints.ts';
import { useId, useState } from 'react';
import { SharingListRecords } from '../../detail/sharing-list-records.tsx';
import { IdentifierMachines } from '../../fleet/identifier-machines.tsx';
import { dayDate } from '../../values/day-date.ts';
import { buildMentions } from '../../widgets/build-figure.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import { ModuleSelector } from '../../widgets/module-selector.tsx';
import { VendorMark } from '../../widgets/vendor-mark.tsx';
import styles from './identifier-screen.module.css';

interface ListPart extends SharingList {
  /** Records of the list that the other part of the page shows. */
  readonly inOtherPart?: number;
}

interface IdentifierListsProps {
  readonly lists: readonly ListPart[];
  readonly identifier: string;
}

export function IdentifierLists({ lists, identifier }: IdentifierListsProps) {
  const selectRecords = (isOwn: boolean) =>
    lists.flatMap((list) => {
      const records = list.records.filter((record) => record.own === isOwn);
      return records.length === 0
        ? []
        : [{ ...list, records, inOtherPart: list.records.length - records.length }];
    });
  const own = selectRecords(true);
  if (own.length === 0) return <ChosenLists lists={lists} identifier={identifier} />;
  const mentions = selectRecords(false);
  return (
    <>
      <Card lists={own} />
      <IdentifierMachines identifier={identifier} />
      <h2 className={`${styles['part']} text-quiet text-dense font-600`}>
        This {identifier.startsWith('KB') ? 'KB' : 'identifier'}
      </h2>
      {own.map((list) => (
        <ListRecords key={list.list} result={list} identifier={identifier} />
      ))}
      {mentions.length > 0 && (
        <details className="grid gap-4">
          <summary className="cursor-pointer">Mentioned by other records</summary>
          <ChosenLists lists={mentions} identifier={identifier} />
        </details>
      )}
    </>
  );
}

const bySeverity = (a: SharingRecord, b: SharingRecord) => rank(b) - rank(a);
const rank = ({ severity }: SharingRecord) => severities.findIndex((one) => one === severity);

/** Says in a line what the identifier is: the title, severity and day of its record with the highest severity, as All patches does. */
function Card({ lists }: { readonly lists: readonly SharingList[] }) {
  const records = lists.flatMap((list) => list.records).toSorted(bySeverity);
  const first = records.find(({ title }) => title !== null) ?? records[0];
  if (first === undefined) return null;
  return (
    <p className="py-3 px-4 border rounded bg-surface">
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
        <div className={`${styles['pages']} text-dense`}>
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

/** Returns 'first 10 shown, 2 of them here'; nothing where all records stand here. */
function describeShown(here: number, inOtherPart: number, totalCount: number): string {
  const shown = here + inOtherPart;
  return [
    ...(totalCount > shown ? [`first ${shown} shown`] : []),
    ...(inOtherPart > 0 ? [`${here} of them here`] : []),
  ].join(', ');
}

interface ListRecordsProps {
  readonly result: ListPart;
  readonly identifier: string;
}

function ListRecords({
  result: { list: key, records, totalCount, inOtherPart = 0 },
  identifier,
}: ListRecordsProps) {
  const heading = useId();
  const list = catalogueLists.find((one) => one.key === key);
  if (list === undefined) return null;
  return (
    <section className="grid gap-2 min-w-0" aria-labelledby={heading}>
      <div className="flex flex-wrap items-center gap-y-1 gap-x-3 text-dense">
        <VendorMark of={list.key} />
        <h2 id={heading} className="text-lead font-600">
          {list.label}
        </h2>
        <FigureLink
          figure={buildMentions(list.key, totalCount, identifier)}
          counts={[`record of ${list.label}`, `records of ${list.label}`]}
        >
          {formatCount(totalCount, ['record', 'records'])}
        </FigureLink>
        <span className="text-quiet">{describeShown(records.length, inOtherPart, totalCount)}</span>
      </div>
      <SharingListRecords list={list} records={records} showShares={false} />
    </section>
  );
}
