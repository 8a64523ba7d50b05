/** An update of a month as a row: its name with what makes it urgent, and the facts for the installation. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { indexedName } from '@patch/catalogue/definition/record-name.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { type Severity, severities } from '@patch/catalogue/schemas/severities.ts';
import type { MonthUpdate } from '@patch/contract/month-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { isDerived } from '../values/choice-severity.ts';
import { DerivedMark } from '../values/derived-mark.tsx';
import { fileSize } from '../values/file-size.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import styles from './month.module.css';

const maxNames = 4;

const rated = 'ratedSeverity';
const ratedField = getField(getList('all_patches'), rated);

export function MonthUpdateRow({ update }: { readonly update: MonthUpdate }) {
  const { row, builds, fix, size, restart, supersedes, install, knownIssues } = update;
  const severity = severities.find((word): word is Severity => word === row[rated]);
  const list = getList(String(row['list']) as ListKey);
  const name = indexedName(list, row);
  const page = recordPath(list, Number(row['recordId']));
  const title = row['title'] === name ? null : String(row['title'] ?? '');
  return (
    <tr>
      <th scope="row">
        <Link to={page}>{name}</Link>
        {row['exploited'] === true && <b data-tone="danger"> exploited</b>}
        {row['ransomware'] === true && <b data-tone="danger"> ransomware</b>}
        {update.publiclyKnown === true && <b data-tone="warning"> publicly known</b>}
        {row['superseded'] === true && <b data-tone="quiet"> superseded</b>}
        {install !== null && <b data-tone="warning"> install {install}</b>}
        {title === null ? null : <span className={styles['title']}>{title}</span>}
      </th>
      <td data-label="Severity">
        <span className={styles['severity']}>
          {severity === undefined ? null : <SeverityIcon severity={severity} />}
          {severity ?? <Unknown />}
          {isDerived(ratedField, row, rated) && <DerivedMark />}
        </span>
      </td>
      <td data-label="Build or package">{shorten(builds) ?? fix ?? <Unknown />}</td>
      <td data-label="Size">{size === null ? <Unknown /> : fileSize(size)}</td>
      <td data-label="Restart">{restart ?? <Unknown />}</td>
      <td data-label="Supersedes">{shorten(supersedes) ?? <Unknown />}</td>
      <td data-label="Known issues">
        {knownIssues === null ? <Unknown /> : <Link to={page}>{knownIssues}</Link>}
      </td>
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
