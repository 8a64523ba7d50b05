/** How mail is sent: the form, a test of what stands in it, and the mails of late. */
import { emailConfigCall } from '@patch/contract/mail-calls.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { CallFailed, makeCall } from '../../api/make-call.ts';
import { PageHeader } from '../../widgets/page-header.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import styles from './email-configuration-screen.module.css';
import { EmailForm } from './email-form.tsx';
import { MailDeliveries } from './mail-deliveries.tsx';

export const emailConfigKey = ['email configuration'] as const;

export function EmailConfigurationScreen() {
  const kept = useQuery({
    queryKey: emailConfigKey,
    queryFn: ({ signal }) => makeCall(emailConfigCall, { signal }),
    // What is being typed must not be replaced by what was kept.
    refetchOnWindowFocus: false,
  });
  const failure = kept.error instanceof CallFailed ? kept.error : null;
  return (
    <>
      <PageHeader title="E-mail configuration" beside={kept.data?.config === null ? 'Not configured yet: no mail is sent' : undefined} />
      {kept.data !== undefined ? (
        <div className={styles['columns']}>
          <EmailForm config={kept.data.config} lastTest={kept.data.lastTest} />
          <MailDeliveries />
        </div>
      ) : kept.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 10 }} />
      ) : (
        <StateDrawing
          state={failure?.status === 403 ? 'forbidden' : 'failure'}
          title={failure?.status === 403 ? 'You may not see the e-mail configuration' : 'The e-mail configuration could not be loaded'}
          requestId={failure?.requestId}
          action={<Button onClick={() => void kept.refetch()}>Reload</Button>}
        >
          {kept.error.message}
        </StateDrawing>
      )}
    </>
  );
}
