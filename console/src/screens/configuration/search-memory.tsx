/** The lists in memory for searches, and their size. */
import { searchMemoryEndpoint } from '@patch/contract/search-memory-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import styles from './search-memory.module.css';

export function SearchMemory() {
  const memory = useQuery({
    queryKey: queryKeys.searchMemory.all(),
    queryFn: ({ signal }) => callApi(searchMemoryEndpoint, { signal }),
  });
  if (memory.isPending) return <Skeleton rows={3} />;
  if (memory.data === undefined)
    return (
      <LoadFailure
        what="search memory"
        failure={memory.error}
        onReload={() => void memory.refetch()}
      />
    );
  const { lists, maxBytes } = memory.data;
  const usedBytes = lists.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <div>
      <p className={styles['sum']}>
        {megabytes(usedBytes)} of {megabytes(maxBytes)} used
      </p>
      {lists.length === 0 ? (
        <p className={styles['none']}>
          No list is in memory. Each is read when somebody searches it.
        </p>
      ) : (
        <ul className={styles['lists']}>
          {lists.map(({ list, label, bytes, records, complete }) => (
            <li key={list}>
              <span>{label}</span>
              <span className={styles['figures']}>
                {complete ? `${records.toLocaleString('en')} records` : 'being read'}
              </span>
              <span className={styles['figures']}>{megabytes(bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const megabytes = (bytes: number) =>
  `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
