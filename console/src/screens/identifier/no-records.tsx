/** Shown for an identifier without records: the searched sources with their freshness, and the nearest identifiers. */

import { catalogueLists, getList, type ListKey } from '@patch/catalogue/lists.ts';
import { exactKeyword } from '@patch/contract/filter/keyword-terms.ts';
import {
  nearestIdentifiersEndpoint,
  type WithdrawnRecord,
} from '@patch/contract/records/shared-identifier-endpoints.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSources } from '../../api/use-sources.ts';
import { FreshnessWord } from '../../releases/freshness-word.tsx';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { useReaderZone } from '../../values/reader-zone.ts';
import { buildFigure } from '../../widgets/build-figure.ts';
import { Button } from '../../widgets/button.tsx';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { homePath, identifierPath, recordPath } from '../../widgets/list-paths.ts';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { absoluteTime } from '../../widgets/time-text.ts';
import styles from './no-records.module.css';
import { findSearchedSources } from './searched-sources.ts';

interface NoRecordsProps {
  readonly identifier: string;
  /** Records with this identifier that the vendor does not list any more. */
  readonly withdrawn: readonly WithdrawnRecord[];
}

export function NoRecords({ identifier, withdrawn }: NoRecordsProps) {
  const { data } = useQuery({
    queryKey: queryKeys.identifiers.nearest(identifier),
    queryFn: ({ signal }) =>
      callApi(nearestIdentifiersEndpoint, { params: { identifier }, signal }),
    // Without this query, the page still says that nothing was found.
    retry: false,
    meta: { quiet: true },
  });
  return (
    <>
      {withdrawn.length > 0 ? (
        <Withdrawn records={withdrawn} />
      ) : (
        <NoMatch identifier={identifier} />
      )}
      {data !== undefined && data.nearest.length > 0 && <Nearest suggestions={data.nearest} />}
      {data !== undefined && <SearchedSources lists={data.lists} />}
    </>
  );
}

function NoMatch({ identifier }: { readonly identifier: string }) {
  return (
    <StateDrawing
      state="no-match"
      title={`No records mention ${identifier}`}
      action={
        <Link to={homePath} search={{ keyword: exactKeyword(identifier) }}>
          <Button look="primary" tabIndex={-1}>
            Search Patch repository for this text
          </Button>
        </Link>
      }
    >
      Enter a complete identifier: CVE-2024-3094, KB5034441, RLSA-2024:1691, USN-6663-1, or the
      exact name of a package.
    </StateDrawing>
  );
}

function Withdrawn({ records }: { readonly records: readonly WithdrawnRecord[] }) {
  const zone = useReaderZone();
  return (
    <section className="grid gap-2 min-w-0" aria-labelledby="withdrawn">
      <h2 id="withdrawn" className="text-lead font-600">
        Withdrawn by the vendor
      </h2>
      <p className="text-quiet text-dense">
        No listed record has this identifier. These had it; their pages show their last known
        version.
      </p>
      <ul className="grid gap-1 plain-list text-quiet text-dense">
        {records.map(({ list, id, identity, title, withdrawnTime }) => (
          <li key={id}>
            <Link to={recordPath(getList(list as ListKey), id)} className="mono">
              {identity}
            </Link>{' '}
            {title !== null && title !== identity && `${title}, `}
            {getList(list as ListKey).label}, not listed since {absoluteTime(withdrawnTime, zone)}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface NearestProps {
  readonly suggestions: readonly { readonly identifier: string; readonly list: string }[];
}

function Nearest({ suggestions }: NearestProps) {
  return (
    <section className="grid gap-2 min-w-0" aria-labelledby="nearest">
      <h2 id="nearest" className="text-lead font-600">
        Nearest identifiers with records
      </h2>
      <ul className="flex flex-wrap gap-y-1 gap-x-5 plain-list text-quiet text-dense">
        {suggestions.map(({ identifier, list }) => (
          <li key={identifier}>
            <Link to={identifierPath(identifier)} className="mono">
              {identifier}
            </Link>{' '}
            {catalogueLists.find(({ key }) => key === list)?.label ?? list}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SearchedSources({ lists }: { readonly lists: readonly string[] }) {
  const { data: sources } = useSources();
  const searched = findSearchedSources(sources ?? [], new Set(lists));
  if (searched.length === 0) return null;
  return (
    <section className="grid gap-2 min-w-0" aria-labelledby="searched">
      <h2 id="searched" className="text-lead font-600">
        {formatNumber(searched.length)} sources were searched
      </h2>
      <p className="text-quiet text-dense">
        They contain no records that a vendor has published since the last sync.
      </p>
      <table
        className={`${styles['sources']} w-full border-collapse text-dense figures`}
        aria-labelledby="searched"
      >
        <ColumnHeads of={['Source', 'Records', 'Last synced', 'State']} />
        <tbody>
          {searched.map((source) => (
            <SourceRow key={source.source} source={source} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SourceRow({ source }: { readonly source: SourceState }) {
  return (
    <tr>
      <th scope="row">{source.label}</th>
      <td>
        {source.lists.map(({ key, label, rows }, index) => (
          <Fragment key={key}>
            {index > 0 && ', '}
            <FigureLink
              figure={buildFigure(key as ListKey, rows, [])}
              counts={[`record of ${label}`, `records of ${label}`]}
            />
          </Fragment>
        ))}
      </td>
      <td>{source.lastSuccessAt === null ? 'Never' : <TimeAgo value={source.lastSuccessAt} />}</td>
      <td>
        <FreshnessWord state={source} />
      </td>
    </tr>
  );
}
