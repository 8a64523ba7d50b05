/** Queries for the missing records of machines: by machine, record and client, and for the dashboard. */
import {
  clientExceptionsEndpoint,
  clientMachinesEndpoint,
  fleetSummaryEndpoint,
  machineMissingEndpoint,
  recordMachinesEndpoint,
} from '@patch/contract/machine-endpoints.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';

/** Sorts the most urgent records first. `size` is at most 1,000. */
export const useMachineMissing = (id: number, size: number) =>
  useQuery({
    queryKey: queryKeys.machines.missing(id, size),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      callApi(machineMissingEndpoint, {
        params: { id: String(id) } as never,
        query: { offset: '0', size: String(size) } as never,
        signal,
      }),
  });

const maxAccepted = 1000;

/** Reads the accepted records of a machine, which start at `offset` among its records. */
export const useMachineAccepted = (id: number, offset: number) =>
  useQuery({
    queryKey: queryKeys.machines.accepted(id, offset),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      callApi(machineMissingEndpoint, {
        params: { id: String(id) } as never,
        query: { offset: String(offset), size: String(maxAccepted) } as never,
        signal,
      }),
  });

export const useExceptionsOfClient = (id: number) =>
  useQuery({
    queryKey: queryKeys.machines.exceptions(id),
    queryFn: ({ signal }) =>
      callApi(clientExceptionsEndpoint, {
        params: { id: String(id) } as never,
        query: { offset: '0', size: String(maxAccepted) } as never,
        signal,
      }),
  });

export const useMachinesOfRecord = (list: string, id: number, size: number) =>
  useQuery({
    queryKey: queryKeys.machines.ofRecord(list, id, size),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      callApi(recordMachinesEndpoint, {
        params: { list, recordId: String(id) } as never,
        query: { offset: '0', size: String(size) } as never,
        signal,
      }),
  });

export const useMachinesOfClient = (id: number) =>
  useQuery({
    queryKey: queryKeys.machines.ofClient(id),
    queryFn: ({ signal }) =>
      callApi(clientMachinesEndpoint, { params: { id: String(id) } as never, signal }),
  });

export const useFleetSummary = () =>
  useQuery({
    queryKey: queryKeys.machines.summary(),
    queryFn: ({ signal }) => callApi(fleetSummaryEndpoint, { signal }),
  });
