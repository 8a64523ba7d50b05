/** Queries and actions for downloads and imports. Both are polled every second while a job is active. */

import {
  applyBundleEndpoint,
  type BundleImport,
  bundleImportsEndpoint,
} from '@patch/contract/operations/bundle-endpoints.ts';
import {
  cancelDownloadEndpoint,
  type Download,
  deleteDownloadEndpoint,
  downloadsEndpoint,
  downloadTicketEndpoint,
  type NewDownload,
  newDownloadEndpoint,
} from '@patch/contract/operations/download-endpoints.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { takeFile } from '../../api/take-file.ts';
import type { Question } from '../../widgets/confirm-dialog.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

const activeIntervalMs = 1_000;
const idleIntervalMs = 30_000;

export const isActive = ({ state }: Pick<Download, 'state'>): boolean =>
  state === 'queued' || state === 'running';
const getPollInterval = (jobs: readonly Pick<Download, 'state'>[] | undefined) =>
  jobs?.some(isActive) === true ? activeIntervalMs : idleIntervalMs;

export function useDownloads() {
  return useQuery({
    queryKey: queryKeys.downloads.files(),
    queryFn: ({ signal }) => callApi(downloadsEndpoint, { signal }),
    refetchInterval: ({ state }) => getPollInterval(state.data?.objList),
    refetchIntervalInBackground: false,
  });
}

export function useBundleImports() {
  return useQuery({
    queryKey: queryKeys.downloads.imports(),
    queryFn: async ({ signal }) => (await callApi(bundleImportsEndpoint, { signal })).objList,
    refetchInterval: ({ state }) => getPollInterval(state.data),
    refetchIntervalInBackground: false,
  });
}

export type DownloadRequest = z.input<typeof NewDownload>;

export function useDownloadActions() {
  const queries = useQueryClient();
  const refreshOptions = {
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.downloads.all() }),
  };
  const make = useMutation({
    ...refreshOptions,
    mutationFn: (body: DownloadRequest) => callApi(newDownloadEndpoint, { body }),
    meta: { quiet: true },
  });
  const fetch = useMutation({
    async mutationFn({ id }: Pick<Download, 'id'>) {
      const { path, fileName } = await callApi(downloadTicketEndpoint, {
        params: { id: String(id) },
      });
      takeFile(path, fileName);
    },
  });
  const cancel = useMutation({
    ...refreshOptions,
    mutationFn: ({ id }: Pick<Download, 'id'>) =>
      callApi(cancelDownloadEndpoint, { params: { id: String(id) } }),
  });

  const remove = useConfirmedAction({
    question: ({ fileName }: Pick<Download, 'id' | 'fileName'>) => ({
      danger: true,
      title: `Remove ${fileName}?`,
      body: 'The file is removed for everyone.',
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(deleteDownloadEndpoint, { params: { id: String(id) } }),
    success: ({ fileName }) => `${fileName} was removed.`,
    invalidates: [queryKeys.downloads.all()],
  });
  const apply = useConfirmedAction({
    question: toApplyQuestion,
    run: ({ id, report }: BundleImport) =>
      callApi(applyBundleEndpoint, {
        params: { id: String(id) },
        body: { accept: [...new Set(report?.concerns?.map(({ kind }) => kind))] },
      }),
    success: () => 'The bundle is being applied.',
    invalidates: [queryKeys.downloads.all()],
  });
  return { make, fetch, cancel, remove, apply };
}

/** Asks about applying an import: its concerns first, then its changes. */
function toApplyQuestion({ fileName, report }: BundleImport): Question {
  const concerns = report?.concerns ?? [];
  const sum = (name: 'added' | 'changed' | 'withdrawn') =>
    formatNumber((report?.lists ?? []).reduce((total, list) => total + list[name], 0));
  const body = `${sum('added')} records will be added, ${sum('changed')} changed, ${sum('withdrawn')} withdrawn. If anything fails, nothing changes.`;
  return {
    danger: true,
    title: `Apply ${fileName}?`,
    body: [...concerns.map(({ words }) => words), body].join(' '),
    yes: concerns.length === 0 ? 'Apply' : 'Apply anyway',
  };
}
