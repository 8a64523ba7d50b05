/** The options of a query that calls one endpoint. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { QueryKey } from '@tanstack/react-query';
import { type CallArguments, callApi } from './call-api.ts';

export function apiQuery<C extends Endpoint>(
  queryKey: QueryKey,
  call: C,
  ...[input]: CallArguments<C>
) {
  return {
    queryKey,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      callApi(call, ...([{ ...input, signal }] as unknown as CallArguments<C>)),
  };
}
