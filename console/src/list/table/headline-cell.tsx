/** Cell with the title of a record, its link, its badges, and facts that no column shows. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields } from '@patch/catalogue/definition/record-badges.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buildTextTip, Cell, InlineText, ShortenedText } from '../../values/cell-of-kind.tsx';
import { BreakableName, CopyName } from '../../values/names.tsx';
import { useReaderZone } from '../../values/reader-zone.ts';
import { type AnyField, isEmptyValue, labelFor } from '../../values/value-view.tsx';
import values from '../../values/values.module.css';
import { recordPath } from '../../widgets/list-paths.ts';
import { buildTitleFacts } from '../columns/title-facts.ts';
import styles from './headline-cell.module.css';
import { findRecordElsewhere } from './record-elsewhere.ts';

interface RowPartProps {
  readonly list: ListDefinition;
  readonly row: WireRow;
}

interface TitleFactsProps extends RowPartProps {
  readonly columns: readonly string[];
  /** True for the versions of the record, false for the other facts. */
  readonly versions?: boolean;
}

interface HeadlineCellProps extends Omit<TitleFactsProps, 'versions'> {
  readonly name: string;
  readonly isIdentity: boolean;
  /** Visible part of the title; undefined shows all of it. */
  readonly shown: string | undefined;
  /** Below the title. */
  readonly children?: ReactNode;
}

export function HeadlineCell({
  list,
  row,
  columns,
  name,
  isIdentity,
  shown,
  children,
}: HeadlineCellProps) {
  const field = getField(list, name);
  const value = row[name];
  return (
    <span className={styles['headline']}>
      <span className={styles['title']}>
        {isIdentity ? (
          <RecordLink {...{ list, row, field, name, shown }} />
        ) : shown === undefined || isEmptyValue(value) ? (
          <Cell field={field} value={value} />
        ) : (
          <InlineText value={labelFor(field, String(value))} shown={shown} />
        )}
      </span>
      <TitleFacts list={list} row={row} columns={columns} versions />
      <RecordBadges list={list} row={row} except={columns} />
      <TitleFacts list={list} row={row} columns={columns} />
      {children}
    </span>
  );
}

export function TitleFacts({ list, row, columns, versions = false }: TitleFactsProps) {
  const zone = useReaderZone();
  const facts = buildTitleFacts(list, row, columns, zone).filter(
    ({ isVersion }) => isVersion === versions,
  );
  if (facts.length === 0) return null;
  return (
    <span className={versions ? styles['versions'] : styles['facts']}>
      {facts.map(({ name, label, text, full }) => (
        <span key={name} data-tip={`${label}: ${full}`}>
          <span className="visually-hidden">{label}: </span>
          {text}
        </span>
      ))}
    </span>
  );
}

interface RecordBadgesProps extends RowPartProps {
  /** Fields that are shown elsewhere. */
  readonly except?: readonly string[];
}

/** One badge for each flag field that is true and has a badge. */
export function RecordBadges({ list, row, except = [] }: RecordBadgesProps) {
  const shown = badgeFields(list).filter(
    ({ name }) => row[name] === true && !except.includes(name),
  );
  if (shown.length === 0) return null;
  return (
    <span className={styles['badges']}>
      {shown.map(({ name, label, help, badge }) => (
        <span key={name} className={styles['badge']} data-badge={badge} data-tip={help}>
          {label}
        </span>
      ))}
    </span>
  );
}

interface RecordLinkProps extends RowPartProps {
  readonly field: AnyField;
  readonly name: string;
  /** Visible part of a shortened title; undefined shows all of it. */
  readonly shown?: string | undefined;
}

/** Link with the identity of a row. A plain click opens the drawer; a middle click opens the record's page in a tab. */
export function RecordLink({ list, row, field, name, shown }: RecordLinkProps) {
  const value = row[name];
  const words = isEmptyValue(value)
    ? `Record ${row.id}`
    : Array.isArray(value)
      ? value.join(', ')
      : String(value);
  const label = uuid.test(words) ? findLabel(list, row, name) : null;
  const mono = label === null && ['identifier', 'identifiers'].includes(field.kind);
  return (
    <span className={values['name']}>
      <Link
        to={findRecordElsewhere(list, row) ?? recordPath(list, row.id)}
        preload={false}
        tabIndex={-1}
        className={mono ? `${values['lines']} mono` : values['lines']}
        {...(label === null ? buildTextTip(words, shown) : { 'data-tip': words })}
        // The row opens the drawer; the browser handles clicks with modifier keys.
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
            event.stopPropagation();
          else event.preventDefault();
        }}
      >
        {mono ? (
          <BreakableName name={words} />
        ) : (
          <ShortenedText value={label ?? words} shown={shown} />
        )}
      </Link>
      {mono && !isEmptyValue(value) && <CopyName field={field} value={words} />}
    </span>
  );
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns another name of a record that is identified by a UUID; null when it has none. */
function findLabel(list: ListDefinition, row: WireRow, name: string): string | null {
  const other = list.identity.find((field) => field !== name && !isEmptyValue(row[field]));
  return other === undefined ? null : String(row[other]);
}
