/** Tests the mirror of a source whose sync failed, and shows the result. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { testMirrorEndpoint } from '@patch/contract/sources/source-settings-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { describeMirrorTest } from '../../runs/mirror-test-text.ts';
import { Button } from '../../widgets/button.tsx';
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
    <div className={`${styles['test']} flex items-baseline gap-2 mt-1 text-small break-anywhere`}>
      <Button
        small
        loading={test.isPending}
        aria-label={`Test the mirror of ${label}`}
        onClick={() => test.mutate()}
      >
        Test the mirror
      </Button>
      <span role="status" data-failed={test.data ? test.data.problem !== null : undefined}>
        {test.isPending
          ? 'Testing the mirror…'
          : test.data
            ? `${describeMirrorTest(test.data)}${test.data.problem === null ? ' Sync again.' : ''}`
            : null}
      </span>
    </div>
  );
}
