/** Queries for the missing records of machines: by machine, record and client, and for the dashboard. */
import { exceptionsEndpoint } from '@patch/contract/fleet/exception-endpoints.ts';
import {
  clientMachinesEndpoint,
  fleetSummaryEndpoint,
  machineExposureEndpoint,
  machineMissingEndpoint,
  recordMachinesEndpoint,
} from '@patch/contract/fleet/machine-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';
import { queryKeys } from '../api/query-keys.ts';

const maxAccepted = 1000;

const toParams = (id: number) => ({ params: { id: String(id) } as never });
const toPage = (offset: number, size: number) => ({
  query: { offset: String(offset), size: String(size) } as never,
});

/** Sorts the most urgent records first. `size` is at most 1,000. */
export const useMachineMissing = (id: number, size: number) =>
  useQuery({
    ...apiQuery(queryKeys.machines.missing(id, size), machineMissingEndpoint, {
      ...toParams(id),
      ...toPage(0, size),
    }),
    placeholderData: keepPreviousData,
  });

/** Reads the accepted records of a machine, which start at `offset` among its records. */
export const useMachineAccepted = (id: number, offset: number) =>
  useQuery({
    ...apiQuery(queryKeys.machines.accepted(id, offset), machineMissingEndpoint, {
      ...toParams(id),
      ...toPage(offset, maxAccepted),
    }),
    placeholderData: keepPreviousData,
  });

export const useExceptionsOfClient = (id: number) =>
  useQuery(
    apiQuery(queryKeys.exceptions.ofClient(id), exceptionsEndpoint, {
      query: { client: String(id), size: String(maxAccepted) },
    }),
  );

export const useMachinesOfRecord = (list: string, id: number, size: number) =>
  useQuery({
    ...apiQuery(queryKeys.machines.ofRecord(list, id, size), recordMachinesEndpoint, {
      params: { list, recordId: String(id) } as never,
      ...toPage(0, size),
    }),
    placeholderData: keepPreviousData,
  });

/** @param named A CVE, a KB, an advisory, or a record as `referToRecord` names it; empty for none. */
export const useMachineExposure = (named: string) =>
  useQuery({
    ...apiQuery(queryKeys.machines.exposure(named), machineExposureEndpoint, {
      query: { misses: named },
    }),
    enabled: named !== '',
    meta: { quiet: true },
  });

export const useMachinesOfClient = (id: number) =>
  useQuery(apiQuery(queryKeys.machines.ofClient(id), clientMachinesEndpoint, toParams(id)));

export const useFleetSummary = () =>
  useQuery(apiQuery(queryKeys.machines.summary(), fleetSummaryEndpoint));
