/** Options of the command box for words that are no identifier: the best matches among all patches, and all of them. */
import { SearchOutlined } from '@ant-design/icons-svg';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { parseTypedIdentifier } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { type SearchReply, searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { looksLikeIdentifier } from '../list/criteria/typed-search.ts';
import { describeReading, listLeftOut } from '../list/search-bar/typed-reading.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { formatCount } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { listPath, recordPath } from '../widgets/list-paths.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import { type Go, type Jump, renderFound } from './jump.tsx';

const allPatches = getList('all_patches');
const maxMatches = 3;
const minLength = 3;

interface QueryJumps {
  readonly jumps: readonly Jump[];
  readonly searching: boolean;
}

/** @param query - the typed text once typing pauses or Enter is pressed */
export function useQueryJumps(query: string, go: Go): QueryJumps {
  const zone = useReaderZone();
  const enabled =
    query.length >= minLength &&
    parseTypedIdentifier(query) === null &&
    !looksLikeIdentifier(query);
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.lists.matches(allPatches.key, query),
    queryFn: ({ signal }) =>
      callApi(searchEndpoint(allPatches), {
        query: { offset: 0, size: maxMatches },
        body: { q: query },
        signal,
      }),
    enabled,
    // Screens and commands are found without it.
    retry: false,
    meta: { quiet: true },
  });
  if (!enabled || data === undefined) return { jumps: [], searching: enabled && isFetching };
  // The list says which of several words no record has.
  const tells = data.totalCount > 0 || (data.reading?.parts.length ?? 0) > 1;
  return {
    jumps: tells ? [...toMatches(data, go), toAll(data, query, zone, go)] : [],
    searching: false,
  };
}

const toMatches = ({ objList }: SearchReply, go: Go): readonly Jump[] =>
  objList.map(({ list: key, recordId, identifier, title }): Jump => {
    const list = getList(key as ListKey);
    return {
      key: `match ${list.key} ${Number(recordId)}`,
      run: () => go(recordPath(list, Number(recordId))),
      content: renderFound(
        <VendorMark of={list.key} size={20} />,
        String(identifier),
        String(title ?? ''),
        list.shortLabel,
      ),
    };
  });

/** Opens the list of all patches with what the words mean: without a match, it says which of them has none. */
function toAll({ reading, totalCount }: SearchReply, query: string, zone: string, go: Go): Jump {
  const { criteria = [], keyword = query, parts = [], sort } = reading ?? {};
  const leftOut = listLeftOut(parts);
  const meaning = [
    ...(leftOut === '' ? [] : [`left out: ${leftOut}`]),
    describeReading(allPatches, { criteria, keyword, ...(sort !== undefined && { sort }) }, zone),
  ].join(', ');
  return {
    key: 'matches',
    run: () =>
      go(listPath(allPatches), {
        ...(criteria.length > 0 && { criteria: writeCriteria(allPatches, criteria) }),
        ...(keyword !== '' && { keyword }),
        ...(sort !== undefined && { sort }),
      }),
    content: renderFound(
      <Icon of={SearchOutlined} />,
      formatCount(totalCount, ['record', 'records']),
      fold(meaning) === fold(query) ? `of ${meaning}` : meaning,
      allPatches.label,
    ),
  };
}
