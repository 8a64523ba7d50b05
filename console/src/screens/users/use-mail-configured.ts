/** Whether this service can send mail: only then is an invitation offered. */
import { emailConfigEndpoint } from '@patch/contract/mail-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** 'unknown' until the server has answered. Where it cannot be asked, mail counts as configured: the server refuses what it cannot send. */
export function useMailConfigured(): 'unknown' | 'configured' | 'missing' {
  const { data, isError } = useQuery({
    queryKey: queryKeys.email.configured(),
    queryFn: async ({ signal }) => (await callApi(emailConfigEndpoint, { signal })) !== null,
  });
  if (isError || data === true) return 'configured';
  return data === undefined ? 'unknown' : 'missing';
}
