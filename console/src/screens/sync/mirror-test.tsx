/** Tests the mirror of a source whose sync failed, and shows the result. */
import { documentFailureText } from '@patch/catalogue/definition/document-failure.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { RunMessage } from '@patch/contract/run-message.ts';
import { type MirrorTest, testMirrorEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './source-row.module.css';

/** Returns whether a mirror may be the cause of the message. */
export function isMirrorFailure(message: RunMessage | null): boolean {
  return (
    (message?.code === 'failed' || message?.code === 'nothing_available') &&
    Boolean(message.params.mirror)
  );
}

interface MirrorTestButtonProps {
  readonly source: SourceKey;
  readonly label: string;
}

export function MirrorTestButton({ source, label }: MirrorTestButtonProps) {
  const test = useMutation({
    mutationFn: () => callApi(testMirrorEndpoint, { params: { source } }),
    meta: { quiet: true },
    onError: (failure) => toast.failure(failure, 'Error'),
  });
  return (
    <div className={styles['test']}>
      <Button
        small
        loading={test.isPending}
        aria-label={`Test the mirror of ${label}`}
        onClick={() => test.mutate()}
      >
        Test
      </Button>
      <span role="status" data-failed={test.data ? test.data.problem !== null : undefined}>
        {test.isPending ? 'Testing the mirror…' : test.data ? describeResult(test.data) : null}
      </span>
    </div>
  );
}

function describeResult({ mirror, url, problem, milliseconds }: MirrorTest): string {
  if (problem !== null)
    return documentFailureText({
      code: 'not_fetched',
      params: { url, problem, attempts: 1, milliseconds },
    });
  return `${mirror === null ? 'The vendor' : mirror.address} answered in ${formatNumber(milliseconds)} ms. Sync again.`;
}
