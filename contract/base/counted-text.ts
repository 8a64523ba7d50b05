/** Formats the number of records and of their updates, for one and for several. */

interface Counted {
  readonly totalCount: number;
  readonly updateCount: number;
}

/** Returns '12 records', or '378 updates in 1,755 records' when several records belong to one update. */
export function countedText({ totalCount, updateCount }: Counted): string {
  const records = `${totalCount.toLocaleString('en')} ${totalCount === 1 ? 'record' : 'records'}`;
  if (totalCount === updateCount) return records;
  return `${updateCount.toLocaleString('en')} ${updateCount === 1 ? 'update' : 'updates'} in ${records}`;
}
