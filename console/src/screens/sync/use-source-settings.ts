/** Loads the settings of a source when the drawer opens, and saves them. */

import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  type SourceSettings,
  saveSourceSettingsEndpoint,
  sourceSettingsEndpoint,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** Loads once per opening, so that changes of other administrators do not alter the open form. */
export function useSourceSettings(source: SourceKey) {
  return useQuery({
    ...apiQuery(queryKeys.sources.settings(source), sourceSettingsEndpoint, { params: { source } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useSaveSettings(source: SourceKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (settings: Partial<SourceSettings>) =>
      callApi(saveSourceSettingsEndpoint, { params: { source }, body: settings }),
    meta: { quiet: true },
    onSuccess(reply) {
      queryClient.setQueryData(queryKeys.sources.settings(source), reply);
      return queryClient.invalidateQueries({ queryKey: queryKeys.sources.all() });
    },
  });
}
