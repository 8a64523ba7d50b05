/** An update of a month as a row: its name with what makes it urgent, and the facts for the installation. */
import { getList } from '@patch/catalogue/lists.ts';
import type { MonthUpdate } from '@patch/contract/reports/month-endpoints.ts';
import { listMarks, readUpdateWords } from '@patch/contract/reports/update-words.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { findRecordElsewhere } from '../list/table/record-elsewhere.ts';
import { DerivedMark } from '../values/derived-mark.tsx';
import { fileSize } from '../values/file-size.ts';
import { homePath } from '../widgets/list-paths.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import styles from './month.module.css';

const maxNames = 4;
const allPatches = getList('all_patches');

interface Fact {
  readonly label: string;
  readonly width?: string;
  /** Returns null when it is not stated. */
  readonly read: (update: MonthUpdate) => string | null;
}

/** For the installation. A source that states none of a kind has no column of it. */
const facts: readonly Fact[] = [
  { label: 'Build or package', read: ({ builds, fix }) => shorten(builds) ?? fix },
  { label: 'Size', width: '8%', read: ({ size }) => (size === null ? null : fileSize(size)) },
  { label: 'Restart', width: '11%', read: ({ restart }) => restart },
  { label: 'Supersedes', width: '13%', read: ({ supersedes }) => shorten(supersedes) },
  {
    label: 'Known issues',
    width: '8%',
    read: ({ knownIssues }) => knownIssues?.toString() ?? null,
  },
];

/** Returns the facts that an update has, and the others. */
export const splitFacts = (updates: readonly MonthUpdate[]) => {
  const isStated = ({ read }: Fact) => updates.some((update) => read(update) !== null);
  return { stated: facts.filter(isStated), missing: facts.filter((fact) => !isStated(fact)) };
};

interface MonthUpdateRowProps {
  readonly update: MonthUpdate;
  readonly stated: readonly Fact[];
}

export function MonthUpdateRow({ update, stated }: MonthUpdateRowProps) {
  const { name, title, severity, isByCvss } = readUpdateWords(update.row);
  const page = findRecordElsewhere(allPatches, update.row) ?? homePath;
  return (
    <tr>
      <th scope="row">
        <Link to={page}>{name}</Link>
        {listMarks(update).map(({ text, tone }) => (
          <Fragment key={text}>
            {' '}
            <b data-tone={tone}>{text}</b>
          </Fragment>
        ))}
        {title === null ? null : <span className={styles['title']}>{title}</span>}
      </th>
      <td data-label="Severity" data-stated>
        <span className={styles['severity']}>
          {severity === null ? <Unknown /> : <SeverityIcon severity={severity} />}
          {severity}
          {isByCvss && <DerivedMark />}
        </span>
      </td>
      {stated.map(({ label, read }) => {
        const text = read(update);
        return (
          <td key={label} data-label={label} data-stated={text !== null || undefined}>
            {text === null ? (
              <Unknown />
            ) : label === 'Known issues' ? (
              <Link to={page}>{text}</Link>
            ) : (
              text
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** A dash, which says that the vendor does not say. */
const Unknown = () => (
  <span className={styles['quiet']}>
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">not stated</span>
  </span>
);

function shorten(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const further = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${further > 0 ? ` and ${further} more` : ''}`;
}
