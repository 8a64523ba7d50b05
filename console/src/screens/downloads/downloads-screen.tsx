/** Files for administrators: database dumps, catalogue bundles, logs and support bundles, and bundles from other installations. */
import { fileSize } from '../../values/file-size.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { BundleImports } from './bundle-imports.tsx';
import { BundleKeys } from './bundle-keys.tsx';
import { DownloadRows } from './download-rows.tsx';
import styles from './downloads-screen.module.css';
import { NewDownloadForm } from './new-download-form.tsx';
import { PublishedCatalogue } from './published-catalogue.tsx';
import { useDownloads } from './use-download-jobs.ts';

export function DownloadsScreen() {
  const downloads = useDownloads();
  const { data } = downloads;
  const usedSpace =
    data &&
    `${fileSize(data.usedBytes)} of ${fileSize(data.mostBytes)}, each kept for ${data.keptDays === 1 ? 'a day' : `${data.keptDays} days`}`;
  return (
    <>
      <PageHeader title="Downloads" beside={usedSpace} />
      {data !== undefined ? (
        <div className={`${styles['columns']} grid items-start mt-4`}>
          <section aria-label="New download">
            <h2 className="mb-3 text-lead font-600">New download</h2>
            <NewDownloadForm />
          </section>
          <section aria-label="Files">
            <h2 className="mb-3 text-lead font-600">Files</h2>
            <DownloadRows downloads={data.objList} />
          </section>
          <section aria-label="Bundles from other installations">
            <h2 className="mb-3 text-lead font-600">Bundles from other installations</h2>
            <BundleImports />
          </section>
          <section aria-label="Published catalogue">
            <h2 className="mb-3 text-lead font-600">Published catalogue</h2>
            <PublishedCatalogue />
          </section>
          <section aria-label="Signatures">
            <h2 className="mb-3 text-lead font-600">Signatures</h2>
            <BundleKeys />
          </section>
        </div>
      ) : downloads.isPending ? (
        <Skeleton rows={10} />
      ) : (
        <LoadFailure
          what="downloads"
          failure={downloads.error}
          onReload={() => void downloads.refetch()}
        />
      )}
    </>
  );
}
