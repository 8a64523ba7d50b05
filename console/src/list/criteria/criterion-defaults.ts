/** Returns the initial search of a list: that of the user's default view, or an empty one. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { useSavedViews } from '../saved-views/use-saved-views.ts';
import type { RequestedSearch } from './typed-search.ts';

const emptySearch: RequestedSearch = { criteria: [], keyword: '' };

export function useDefaultSearch(list: ListDefinition): RequestedSearch {
  const { views } = useSavedViews(list);
  const timeZone = useReaderZone();
  const defaultView = views?.find(({ isDefault }) => isDefault);
  if (defaultView === undefined) return emptySearch;
  const { criteria, keyword } = defaultView.search;
  return { criteria: readCriteria(list, criteria, { now: 0, timeZone }).criteria, keyword };
}
