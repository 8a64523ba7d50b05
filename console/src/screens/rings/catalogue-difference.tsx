/** How the catalogue differs between two moments: what comes, changes and goes, list by list. */
import type { ListDifference } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { Loaded } from '../../resources/loaded.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './rings-screen.module.css';
import { useDifference } from './use-rings.ts';

interface CatalogueDifferenceProps {
  readonly from: number;
  /** Null: now. */
  readonly to: number | null;
  /** The ring that is to move. */
  readonly ring?: number;
}

export function CatalogueDifference({ from, to, ring }: CatalogueDifferenceProps) {
  return (
    <section className={styles['difference']} aria-label="Difference">
      <Loaded query={useDifference(from, to, ring)} what="difference" rows={4}>
        {(lists) =>
          lists.length === 0 ? (
            <p>No record differs.</p>
          ) : (
            lists.map((difference) => <DifferenceOfList key={difference.list} of={difference} />)
          )
        }
      </Loaded>
    </section>
  );
}

function DifferenceOfList({ of }: { readonly of: ListDifference }) {
  const changes = [
    ['added', of.added],
    ['changed', of.changed],
    ['withdrawn', of.withdrawn],
  ] as const;
  return (
    <>
      <strong>{of.label}</strong>
      <ul>
        {changes
          .filter(([, { count }]) => count > 0)
          .map(([word, { count, declined, passing, first }]) => (
            <li key={word}>
              {formatNumber(count)} {word}: {first.map(({ name }) => name).join(', ')}
              {count > first.length && ` and ${formatNumber(count - first.length)} more`}
              {declined > 0 && `; ${formatNumber(declined)} of them declined`}
              {passing > 0 && `; ${formatNumber(passing)} of them passed already`}
            </li>
          ))}
      </ul>
    </>
  );
}
