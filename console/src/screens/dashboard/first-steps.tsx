/** The first steps of an empty installation. Each shows its progress here; the list goes when all are done. */
import { CheckCircleFilled } from '@ant-design/icons-svg';
import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { usePreferences } from '../../api/preferences.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { useMailConfigured } from '../../api/use-mail-configured.ts';
import { countSynced } from '../../runs/sources-summary.ts';
import { Button, buttonClass } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { checkMachinePath, emailPath } from '../../widgets/list-paths.ts';
import { useHasBeen } from '../../widgets/use-has-been.ts';
import { DashboardCard } from './dashboard-card.tsx';
import styles from './first-steps.module.css';
import { FirstSync } from './first-sync.tsx';
import { SourceReachability } from './source-reachability.tsx';

export interface StepDrawerProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Forms of other screens, in which steps are done without leaving the page. */
export interface StepDrawers {
  readonly EmailDrawer: ComponentType<StepDrawerProps>;
  readonly InviteDrawer: ComponentType<StepDrawerProps>;
}

interface FirstStepsProps {
  readonly drawers: StepDrawers;
  readonly sources: readonly SourceState[];
  readonly onDismiss: () => void;
}

export function FirstSteps({ drawers, sources, onDismiss }: FirstStepsProps) {
  const isAdmin = useMay('admin');
  if (isAdmin) return <AdministratorSteps {...{ drawers, sources, onDismiss }} />;
  return sources.some(({ lastSuccessAt }) => lastSuccessAt !== null) ? null : (
    <div className="mt-4">
      <DashboardCard title="Nothing synced yet">
        <p className="text-quiet text-dense">
          An administrator starts the first sync. This page then shows what to patch first.
        </p>
      </DashboardCard>
    </div>
  );
}

function AdministratorSteps({
  drawers: { EmailDrawer, InviteDrawer },
  sources,
  onDismiss,
}: FirstStepsProps) {
  const usable = sources.filter(({ available, enabled }) => available && enabled);
  const synced = countSynced(usable);
  const isSynced = synced > 0;
  const isCompletelySynced = isSynced && synced === usable.length;
  const isChecked = usePreferences().frame.machine === 'checked';
  const [isReached, setReached] = useState(false);
  const isMailed = useMailConfigured() === 'configured';
  const people = usePeopleCount();
  const [opened, setOpened] = useState<'email' | 'invitation' | null>(null);
  // Loaded on first use.
  const wasOpened = useHasBeen(opened !== null);
  const isDone = isCompletelySynced && isChecked && isMailed && people > 1;
  useEffect(() => {
    if (isDone) onDismiss();
  }, [isDone, onDismiss]);
  return (
    <div className="mt-4">
      <DashboardCard title="First steps">
        <ol className={`${styles['list']} grid gap-4 m-0`}>
          <Step
            title="Test that the sources can be reached"
            isDone={isReached || isCompletelySynced}
          >
            <SourceReachability sources={usable} onTested={setReached} />
          </Step>
          <Step title="Sync" isDone={isCompletelySynced}>
            <FirstSync sources={usable} />
          </Step>
          <Step title="Check a machine" isDone={isChecked}>
            <p className="text-quiet text-dense">
              {isSynced
                ? 'Paste the output of its tools, or look at a sample machine first.'
                : 'Possible as soon as one source is synced.'}
            </p>
            {isSynced && (
              <Link
                to={checkMachinePath}
                search={{ sample: true }}
                className={buttonClass({ look: 'primary' })}
              >
                Check a sample machine
              </Link>
            )}
          </Step>
          <Step title="Set up email" isDone={isMailed}>
            {isMailed ? (
              <Link to={emailPath} className={buttonClass({})}>
                Change the email configuration
              </Link>
            ) : (
              <Button onClick={() => setOpened('email')}>Set up email</Button>
            )}
          </Step>
          <Step title="Invite a colleague" isDone={people > 1}>
            <Button onClick={() => setOpened('invitation')}>Invite someone</Button>
          </Step>
        </ol>
        {isSynced && (
          <Button look="link" onClick={onDismiss}>
            Hide these steps
          </Button>
        )}
      </DashboardCard>
      {wasOpened && (
        <>
          <EmailDrawer open={opened === 'email'} onClose={() => setOpened(null)} />
          <InviteDrawer open={opened === 'invitation'} onClose={() => setOpened(null)} />
        </>
      )}
    </div>
  );
}

function usePeopleCount(): number {
  const { data } = useQuery(
    apiQuery(queryKeys.users.page({ size: 1 }), usersEndpoint, { query: { size: '1' }, body: {} }),
  );
  return data?.totalCount ?? 1;
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li className={styles['step']} data-done={isDone || undefined}>
      <h3 className="flex flex-wrap gap-x-3 text-body font-600">
        {title}
        {isDone && (
          <span className="inline-flex items-center gap-1 text-success font-400">
            <Icon of={CheckCircleFilled} /> Done
          </span>
        )}
      </h3>
      <div className={`${styles['body']} grid gap-2 mt-2`}>{children}</div>
    </li>
  );
}
