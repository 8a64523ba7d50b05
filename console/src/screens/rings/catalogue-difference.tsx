/** How the catalogue differs between two moments: what comes, changes and goes, list by list. */
import type { ListDifference } from '@patch/contract/checkpoint-endpoints.ts';
import { Loaded } from '../../resources/loaded.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './rings-screen.module.css';
import { useDifference } from './use-rings.ts';

interface CatalogueDifferenceProps {
  readonly from: number;
  /** Null: now. */
  readonly to: number | null;
}

export function CatalogueDifference({ from, to }: CatalogueDifferenceProps) {
  return (
    <section className={styles['difference']} aria-label="Difference">
      <Loaded query={useDifference(from, to)} what="difference" rows={4}>
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
          .map(([word, { count, first }]) => (
            <li key={word}>
              {formatNumber(count)} {word}: {first.map(({ name }) => name).join(', ')}
              {count > first.length && ` and ${formatNumber(count - first.length)} more`}
            </li>
          ))}
      </ul>
    </>
  );
}
