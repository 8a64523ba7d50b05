/** Cell with the title of a record, its badges, and facts that no column shows. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { Cell, InlineText } from '../../values/cell-of-kind.tsx';
import { useReaderZone } from '../../values/reader-zone.ts';
import { RecordBadges } from '../../values/record-badges.tsx';
import { isEmptyValue, labelFor } from '../../values/value-view.tsx';
import { buildTitleFacts } from '../columns/title-facts.ts';
import styles from './headline-cell.module.css';
import { RecordLink } from './record-link.tsx';

interface HeadlineCellProps {
  readonly list: ListDefinition;
  readonly row: WireRow;
  readonly columns: readonly string[];
  readonly name: string;
  readonly isIdentity: boolean;
  /** Visible part of the title; undefined shows all of it. */
  readonly shown: string | undefined;
}

export function HeadlineCell({ list, row, columns, name, isIdentity, shown }: HeadlineCellProps) {
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
      <RecordBadges list={list} record={row} except={columns} />
      <TitleFacts list={list} row={row} columns={columns} />
    </span>
  );
}

interface TitleFactsProps extends Pick<HeadlineCellProps, 'list' | 'row' | 'columns'> {
  /** True for the versions of the record, false for the other facts. */
  readonly versions?: boolean;
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
