/** An update of a month as a row: its name with what makes it urgent, and the facts for the installation. */
import { getList } from '@patch/catalogue/lists.ts';
import type { MonthUpdate } from '@patch/contract/month-endpoints.ts';
import { listMarks, readUpdateWords } from '@patch/contract/update-words.ts';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { findRecordElsewhere } from '../list/table/record-elsewhere.ts';
import { DerivedMark } from '../values/derived-mark.tsx';
import { fileSize } from '../values/file-size.ts';
import { homePath } from '../widgets/list-paths.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import styles from './month.module.css';

const maxNames = 4;
const allPatches = getList('all_patches');

export function MonthUpdateRow({ update }: { readonly update: MonthUpdate }) {
  const { row, builds, fix, size, restart, supersedes, knownIssues } = update;
  const { name, title, severity, isByCvss } = readUpdateWords(row);
  const page = findRecordElsewhere(allPatches, row) ?? homePath;
  return (
    <tr>
      <th scope="row">
        <Link to={page}>{name}</Link>
        {listMarks(update).map(({ text, tone }) => (
          <Fragment key={text}>
            {' · '}
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
      <Fact label="Build or package">{shorten(builds) ?? fix}</Fact>
      <Fact label="Size">{size === null ? null : fileSize(size)}</Fact>
      <Fact label="Restart">{restart}</Fact>
      <Fact label="Supersedes">{shorten(supersedes)}</Fact>
      <Fact label="Known issues">
        {knownIssues === null ? null : <Link to={page}>{knownIssues}</Link>}
      </Fact>
    </tr>
  );
}

/** @param children - Null: not stated */
function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <td data-label={label} data-stated={children !== null || undefined}>
      {children ?? <Unknown />}
    </td>
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
