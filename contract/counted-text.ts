/** Records and the updates that they are about, in words that are true of both. */

interface Counted {
  readonly totalCount: number;
  readonly updateCount: number;
}

/** '12 records'; '378 updates in 1,755 records' where several records are about one update. */
export function countedText({ totalCount, updateCount }: Counted): string {
  const records = `${totalCount.toLocaleString('en')} ${totalCount === 1 ? 'record' : 'records'}`;
  if (totalCount === updateCount) return records;
  return `${updateCount.toLocaleString('en')} ${updateCount === 1 ? 'update' : 'updates'} in ${records}`;
}
