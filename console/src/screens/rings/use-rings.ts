/** Fetches rings, rules, checkpoints and their difference, and the clients that may be in a ring. */
import { getList } from '@patch/catalogue/lists.ts';
import {
  checkpointDifferenceEndpoint,
  checkpointsEndpoint,
} from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { checkpointRulesEndpoint } from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import { ringDecisionsEndpoint, ringsEndpoint } from '@patch/contract/licensing/ring-endpoints.ts';
import { largestPage, searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

export const useRings = () =>
  useQuery({
    queryKey: queryKeys.rings.all(),
    queryFn: async ({ signal }) => (await callApi(ringsEndpoint, { signal })).objList,
  });

export const useCheckpoints = () =>
  useQuery({
    queryKey: queryKeys.checkpoints.all(),
    queryFn: async ({ signal }) => (await callApi(checkpointsEndpoint, { signal })).objList,
  });

export const useRules = () =>
  useQuery({
    queryKey: queryKeys.checkpoints.rules(),
    queryFn: async ({ signal }) => (await callApi(checkpointRulesEndpoint, { signal })).objList,
  });

export const useDecisions = (ring: number) =>
  useQuery({
    queryKey: queryKeys.rings.decisions(ring),
    queryFn: async ({ signal }) => {
      const params = { id: String(ring) };
      return (await callApi(ringDecisionsEndpoint, { params, signal })).objList;
    },
  });

/** @param to - Null: now. */
export const useDifference = (from: number, to: number | null, ring?: number) =>
  useQuery({
    queryKey: queryKeys.checkpoints.difference(from, to, ring),
    queryFn: async ({ signal }) => {
      const query = {
        from: String(from),
        ...(to !== null && { to: String(to) }),
        ...(ring !== undefined && { ring: String(ring) }),
      };
      return (await callApi(checkpointDifferenceEndpoint, { query, signal })).objList;
    },
  });

const clients = getList('floto_user');

/** The first thousand clients by name, to choose from. */
export const useClientChoices = () =>
  useQuery({
    queryKey: queryKeys.rings.clientChoices(),
    queryFn: async ({ signal }) => {
      const query = { size: largestPage, sort: 'clientName' };
      const { objList } = await callApi(searchEndpoint(clients), { query, body: {}, signal });
      return objList.map(({ id, clientName }) => ({ id, name: String(clientName) }));
    },
  });
