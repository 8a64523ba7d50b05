/** Queries for notes and assignees, and who deals with a record from now on. */
import { assignEndpoint, recordNotesEndpoint } from '@patch/contract/records/note-endpoints.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../api/api-query.ts';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ChosenOwner } from './owner-fields.tsx';

/** A record that machines miss, or what one machine misses. */
export interface Finding {
  readonly list: string;
  readonly recordId: number;
  /** Absent: all machines. */
  readonly machineId?: number | undefined;
}

export const toParams = ({ list, recordId }: Finding) => ({
  params: { list, recordId: String(recordId) },
});

export const useRecordNotes = ({ machineId, ...record }: Finding) =>
  useQuery(
    apiQuery(
      queryKeys.notes.finding(record.list, record.recordId, machineId),
      recordNotesEndpoint,
      {
        ...toParams(record),
        query: machineId === undefined ? {} : { machineId: String(machineId) },
      },
    ),
  );

/** Returns a function that fetches again what shows notes and assignees. */
export function useNotesChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: queryKeys.notes.all() });
    await queries.invalidateQueries({ queryKey: queryKeys.lists.all('machines') });
  };
}

export function useAssign(finding: Finding) {
  const changed = useNotesChanged();
  return useMutation({
    mutationFn: (assignee: ChosenOwner | null) =>
      callApi(assignEndpoint, {
        ...toParams(finding),
        body: { assignee, machineId: finding.machineId },
      }),
    onSuccess: changed,
  });
}
