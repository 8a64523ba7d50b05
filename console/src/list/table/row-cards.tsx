/** Rows as cards on a narrow screen. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields, isMuted } from '@patch/catalogue/definition/record-badges.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { RowGroup } from '@patch/contract/records/grouped-search-endpoint.ts';
import { useMemo } from 'react';
import { isMissingCount } from '../../fleet/row-figure.ts';
import { cardHeight, space } from '../../theme/tokens.ts';
import { ShortenedText } from '../../values/cell-of-kind.tsx';
import { hasSeverity } from '../../values/choice-severity.ts';
import { isEmptyValue, labelFor } from '../../values/value-view.tsx';
import { headlineColumn, identityColumn } from '../columns/column-choice.ts';
import { createShownTitle, type ShownTitle } from '../columns/short-title.ts';
import { findUnshownFacts } from '../columns/title-facts.ts';
import { GroupToggle } from './group-toggle.tsx';
import { RecordBadges, RecordLink, TitleFacts } from './headline-cell.tsx';
import { noRows, type RowsProps } from './list-rows.tsx';
import styles from './row-cards.module.css';
import { getRowName, isOnBookmark, RowBookmark } from './row-selection.tsx';
import { RowValue } from './row-value.tsx';
import { useVirtualRows } from './use-virtual-rows.ts';

interface RowCardsProps extends RowsProps {
  readonly columns: readonly string[];
  readonly sort: string;
  readonly skeletonRows: number;
}

export function RowCards({
  list,
  rows,
  columns,
  sort,
  stale,
  openId,
  cursor,
  selection,
  opened,
  onOpen,
  skeletonRows,
}: RowCardsProps) {
  const { container, items } = useVirtualRows<HTMLUListElement>(rows ?? noRows, cursor, {
    shape: `card ${columns.join()}`,
    estimate: cardHeight,
    gap: 2 * space,
  });
  const shownTitle = useMemo(() => createShownTitle(list, columns, sort), [list, columns, sort]);
  return (
    <ul
      ref={container}
      className={styles['cards']}
      data-lines={2}
      aria-label={list.label}
      aria-busy={rows === undefined || stale}
      data-stale={stale || undefined}
    >
      {rows === undefined
        ? Array.from({ length: Math.min(skeletonRows, 6) }, (_, index) => (
            <li key={index} className={styles['bone']} />
          ))
        : items.map((item) => {
            if (item.kind === 'gap') return <Gap key={`gap ${item.from}`} height={item.height} />;
            const row = rows[item.index];
            return row === undefined ? null : (
              <Card
                key={row.id}
                {...{ list, row, columns, sort, shownTitle, onOpen }}
                index={item.index}
                count={rows.length}
                isOpen={row.id === openId}
                hasCursor={item.index === cursor}
                isMarked={selection.allMatching || selection.ids.has(row.id)}
                onMark={() => selection.toggle(row.id)}
                group={opened.groups.get(row.id)}
                isGroupOpen={opened.open.has(row.id)}
                isInner={opened.inner.has(row.id)}
                onGroup={() => opened.toggle(row.id)}
              />
            );
          })}
    </ul>
  );
}

/** Placeholder of cards that are not rendered. The list adds the same margin as around a card. */
function Gap({ height }: { readonly height: number }) {
  return <li aria-hidden style={{ height: height - 2 * space }} />;
}

interface CardProps extends Pick<RowCardsProps, 'list' | 'columns' | 'sort' | 'onOpen'> {
  readonly shownTitle: ShownTitle;
  readonly row: WireRow;
  /** Index in the list, of which only a part is in the document. */
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly hasCursor: boolean;
  readonly isMarked: boolean;
  readonly onMark: () => void;
  readonly group: RowGroup | undefined;
  readonly isGroupOpen: boolean;
  /** True below the card of an open update. */
  readonly isInner: boolean;
  readonly onGroup: () => void;
}

function Card(props: CardProps) {
  const { list, row, columns, sort, shownTitle, isOpen, hasCursor, isMarked, onOpen, onMark } =
    props;
  const sorted = sort.replace(/^-/, '');
  const { head, severity, title, facts } = buildCardLayout(list, columns, sorted);
  const cell = (name: string) => <RowValue list={list} row={row} name={name} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the click is a shortcut for the link inside; arrow keys focus the card itself
    <li
      className={styles['card']}
      data-row={row.id}
      data-open={isOpen || undefined}
      data-muted={isMuted(list, row) || undefined}
      data-inner={props.isInner || undefined}
      aria-posinset={props.index + 1}
      aria-setsize={props.count}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move between cards
      tabIndex={hasCursor ? 0 : -1}
      onClick={({ target }) => isOnBookmark(target) || onOpen(row.id)}
      onKeyDown={({ key, target, currentTarget }) =>
        key === 'Enter' && target === currentTarget && onOpen(row.id)
      }
    >
      <div className={styles['top']}>
        <span className={styles['head']}>
          {head === undefined ? null : (
            <RecordLink list={list} row={row} field={getField(list, head)} name={head} />
          )}
          <TitleFacts list={list} row={row} columns={columns} versions />
        </span>
        {severity === undefined || isEmptyValue(row[severity]) ? null : cell(severity)}
        <RowBookmark name={getRowName(list, row)} marked={isMarked} onToggle={onMark} />
      </div>
      {title !== undefined && !isEmptyValue(row[title]) && (
        <p className={styles['title']}>
          <ShortenedText
            value={labelFor(getField(list, title), String(row[title]))}
            shown={shownTitle(row)}
          />
        </p>
      )}
      <RecordBadges list={list} row={row} />
      <GroupToggle
        list={list}
        group={props.group}
        isOpen={props.isGroupOpen}
        onToggle={props.onGroup}
      />
      <dl className={styles['facts']}>
        {facts
          .filter(
            (name) =>
              name === sorted ||
              !isEmptyValue(row[name]) ||
              // Without counts, one of them says why.
              (name === 'missing' && isMissingCount(list, name)),
          )
          .map((name) => (
            <div key={name}>
              <dt>{getField(list, name).label}</dt>
              <dd>{cell(name)}</dd>
            </div>
          ))}
      </dl>
    </li>
  );
}

/** Assigns the columns to the parts of a card. Badges and names for programs are no facts, unless the cards are sorted by them. */
function buildCardLayout(list: ListDefinition, columns: readonly string[], sorted: string) {
  const head = identityColumn(list, columns);
  const rest = columns.filter((name) => name !== head);
  const severity = rest.find((name) => hasSeverity(getField(list, name)));
  const title = headlineColumn(list, rest);
  const badges = badgeFields(list).map(({ name }) => name);
  const isFact = (name: string) =>
    name === sorted || !(badges.includes(name) || getField(list, name).technical === true);
  return {
    head,
    severity,
    title,
    facts: [
      ...findUnshownFacts(list, columns).filter((name) => getField(list, name).isVersion !== true),
      ...rest.filter((name) => name !== severity && name !== title && isFact(name)),
    ],
  };
}
