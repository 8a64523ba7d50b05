/** Whether the catalogue is published as signed files, and why not. */
import {
  type Publishing,
  publishingEndpoint,
} from '@patch/contract/licensing/publishing-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Notice } from '../../widgets/notice.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';

/** An attempt follows a sync within half a minute. */
const refreshMs = 30_000;

export function PublishedCatalogue() {
  const { data, error } = useQuery({
    queryKey: queryKeys.downloads.publishing(),
    queryFn: ({ signal }) => callApi(publishingEndpoint, { signal }),
    refetchInterval: refreshMs,
  });
  if (data === undefined) return <p className="mt-1 text-quiet">{error?.message ?? ''}</p>;
  const { state, place, publishedAt, reason } = data;
  if (place === null)
    return (
      <p className="mt-1 text-quiet">
        Not published. With the setting PUBLISH_TO the catalogue is also a tree of signed files,
        which licensed clients fetch from any web server, bucket or USB stick.
      </p>
    );
  if (state === 'failed')
    return (
      <Notice
        kind="error"
        title={
          publishedAt === null
            ? 'The catalogue cannot be published'
            : 'Clients do not get what is new'
        }
        description={
          <>
            {reason} <LastPublished at={publishedAt} />
          </>
        }
      />
    );
  if (state === 'silent')
    return (
      <Notice
        kind="warning"
        title="Nothing is published any more"
        description={
          <>
            No process has tried to for hours. Start one with background work (ROLE is all or
            worker) and PUBLISH_TO. <LastPublished at={publishedAt} />
          </>
        }
      />
    );
  return (
    <p className="mt-1">
      <LastPublished at={publishedAt} /> {places[place]}
    </p>
  );
}

const places: Readonly<Record<NonNullable<Publishing['place']>, string>> = {
  service: 'Clients fetch it from this service.',
  folder: 'A web server or a copy of the folder carries it to clients.',
  bucket: 'Clients fetch it from the bucket.',
};

function LastPublished({ at }: { readonly at: number | null }) {
  return at === null ? (
    'It was not published yet.'
  ) : (
    <>
      Last published <TimeAgo value={at} />.
    </>
  );
}
