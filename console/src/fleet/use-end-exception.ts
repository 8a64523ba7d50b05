/** Ends an exception before its date, after confirmation. */
import { endExceptionEndpoint } from '@patch/contract/machine-endpoints.ts';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';

interface ExceptionToEnd {
  readonly exceptionId: number;
  /** The name of the record. */
  readonly name: string;
  readonly forClient: boolean;
}

export const useEndException = () =>
  useConfirmedAction<ExceptionToEnd>({
    question: ({ name, forClient }) => ({
      title: `End the exception for ${name}?`,
      body: `The record counts as missing again${forClient ? ' on all machines of the client' : ''}.`,
      yes: 'End exception',
    }),
    run: ({ exceptionId }) =>
      callApi(endExceptionEndpoint, { params: { exceptionId: String(exceptionId) } as never }),
    success: ({ name }) => `${name} counts as missing again`,
    invalidates: [queryKeys.lists.all('machines'), queryKeys.clients.all()],
  });
