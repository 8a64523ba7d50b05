/** Returns whether the service can send email, which invitations need. */
import { emailConfigEndpoint } from '@patch/contract/operations/mail-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import { queryKeys } from './query-keys.ts';

/** Returns 'unknown' until the server has replied. If it does not reply, email counts as configured, and the server refuses what it cannot send. */
export function useMailConfigured(): 'unknown' | 'configured' | 'missing' {
  const { data, isError } = useQuery({
    queryKey: queryKeys.email.configured(),
    queryFn: async ({ signal }) => (await callApi(emailConfigEndpoint, { signal })) !== null,
  });
  if (isError || data === true) return 'configured';
  return data === undefined ? 'unknown' : 'missing';
}
