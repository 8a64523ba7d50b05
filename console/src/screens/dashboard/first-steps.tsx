/** The first steps of an empty installation. Each shows its progress here; the list goes when all are done. */
import { CheckCircleFilled } from '@ant-design/icons-svg';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { testMirrorEndpoint } from '@patch/contract/source-settings-endpoints.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { usersEndpoint } from '@patch/contract/user-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { usePreferences } from '../../api/preferences.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useSession } from '../../api/session.ts';
import { useMailConfigured } from '../../api/use-mail-configured.ts';
import { isUnderWay } from '../../api/use-sources.ts';
import { describeMirrorTest } from '../../runs/mirror-test-text.ts';
import { RunProgress } from '../../runs/run-progress.tsx';
import { useStartSync } from '../../runs/use-start-sync.ts';
import { Button, buttonClass } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { checkMachinePath, emailPath, syncPath } from '../../widgets/list-paths.ts';
import { useHasBeen } from '../../widgets/use-has-been.ts';
import { DashboardCard } from './dashboard-card.tsx';
import styles from './first-steps.module.css';

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
  const isAdmin = useSession().user?.userType === 'Admin';
  if (isAdmin) return <AdministratorSteps {...{ drawers, sources, onDismiss }} />;
  return sources.some(({ lastSuccessAt }) => lastSuccessAt !== null) ? null : (
    <div className={styles['steps']}>
      <DashboardCard title="Nothing synced yet">
        <p className={styles['words']}>
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
  const synced = usable.filter(({ lastSuccessAt }) => lastSuccessAt !== null).length;
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
    <div className={styles['steps']}>
      <DashboardCard title="First steps">
        <ol className={styles['list']}>
          <Step
            title="Test that the sources can be reached"
            isDone={isReached || isCompletelySynced}
          >
            <Reachability sources={usable} onTested={setReached} />
          </Step>
          <Step title="Sync" isDone={isCompletelySynced}>
            <FirstSync sources={usable} synced={synced} />
          </Step>
          <Step title="Check a machine" isDone={isChecked}>
            <p className={styles['words']}>
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
  const { data } = useQuery({
    queryKey: queryKeys.users.page({ size: 1 }),
    queryFn: ({ signal }) => callApi(usersEndpoint, { query: { size: '1' }, body: {}, signal }),
  });
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
      <h3 className={styles['title']}>
        {title}
        {isDone && (
          <span className={styles['done']}>
            <Icon of={CheckCircleFilled} /> Done
          </span>
        )}
      </h3>
      <div className={styles['body']}>{children}</div>
    </li>
  );
}

type Reply = { readonly text: string; readonly hasFailed: boolean };

/** Sources that are tested at a time, so that slow ones do not delay the others and no vendor receives many requests at once. */
const testsAtOnce = 4;

interface ReachabilityProps {
  readonly sources: readonly SourceState[];
  /** Receives whether every source was reached. */
  readonly onTested: (allReached: boolean) => void;
}

/** Tests every source, and shows each answer as it arrives. */
function Reachability({ sources, onTested }: ReachabilityProps) {
  const [replies, setReplies] = useState<ReadonlyMap<SourceKey, Reply>>(new Map());
  const [isTesting, setTesting] = useState(false);
  const answer = (source: SourceKey, reply: Reply) =>
    setReplies((before) => new Map(before).set(source, reply));
  async function testAll(): Promise<void> {
    setTesting(true);
    setReplies(new Map());
    onTested(false);
    let failures = 0;
    const waiting = sources.map(({ source }) => source);
    const testNext = async (): Promise<void> => {
      const source = waiting.shift();
      if (source === undefined) return;
      try {
        const result = await callApi(testMirrorEndpoint, { params: { source } });
        const hasFailed = result.problem !== null;
        failures += Number(hasFailed);
        answer(source, { text: describeMirrorTest(result), hasFailed });
      } catch (error) {
        failures += 1;
        answer(source, { text: (error as Error).message, hasFailed: true });
      }
      await testNext();
    };
    await Promise.all(Array.from({ length: testsAtOnce }, testNext));
    setTesting(false);
    onTested(failures === 0);
  }
  const reached = [...replies.values()].filter(({ hasFailed }) => !hasFailed).length;
  return (
    <>
      <Button loading={isTesting} onClick={() => void testAll()}>
        Test {sources.length} sources
      </Button>
      <p className={styles['words']} role="status">
        {replies.size === 0
          ? isTesting
            ? 'Testing…'
            : ''
          : `${reached} of ${replies.size} tested sources can be reached.`}
      </p>
      {replies.size > 0 && (
        <ul className={styles['replies']}>
          {sources.flatMap(({ source, label }) => {
            const reply = replies.get(source);
            return reply === undefined
              ? []
              : [
                  <li key={source} data-failed={reply.hasFailed || undefined}>
                    <strong>{label}</strong> {reply.text}
                  </li>,
                ];
          })}
        </ul>
      )}
    </>
  );
}

interface FirstSyncProps {
  readonly sources: readonly SourceState[];
  /** Sources that were synced successfully. */
  readonly synced: number;
}

/** Syncs all sources or the chosen ones. All are chosen at first. */
function FirstSync({ sources, synced }: FirstSyncProps) {
  const { startAll, startingAll } = useStartSync();
  const [omitted, setOmitted] = useState<ReadonlySet<SourceKey>>(new Set());
  const running = sources.filter(isUnderWay);
  const ended = sources.filter(({ run }) => run !== null && run.endedAt !== null);
  const chosen = sources.filter(({ source }) => !omitted.has(source));
  const toggle = (source: SourceKey) =>
    setOmitted((before) => {
      const next = new Set(before);
      if (!next.delete(source)) next.add(source);
      return next;
    });
  if (running.length > 0 || ended.length > 0)
    return (
      <ul className={styles['runs']} aria-label="Progress of the first sync">
        {sources.flatMap(({ source, label, run, lists }) =>
          run === null
            ? []
            : [
                <li key={source} className={styles['run']}>
                  <strong>{label}</strong>
                  {run.endedAt === null ? (
                    <RunProgress run={run} label={label} />
                  ) : (
                    <span className={styles['words']}>{describeEnd(run.state, lists)}</span>
                  )}
                </li>,
              ],
        )}
      </ul>
    );
  if (synced > 0)
    return (
      <p className={styles['words']}>
        {formatNumber(synced)} of {formatNumber(sources.length)} sources are synced.{' '}
        {synced < sources.length && <Link to={syncPath}>Sync the others</Link>}
      </p>
    );
  return (
    <>
      <p className={styles['words']}>
        The first sync fetches each vendor’s complete catalogue, in a few minutes for each source.
        The risk sources say which vulnerabilities are exploited.
      </p>
      <fieldset className={styles['families']}>
        <legend className="visually-hidden">Sources to sync</legend>
        {sources.map(({ source, label }) => (
          <CheckBox
            key={source}
            name={source}
            checked={!omitted.has(source)}
            onChange={() => toggle(source)}
          >
            {label}
          </CheckBox>
        ))}
      </fieldset>
      <Button
        look="primary"
        loading={startingAll}
        disabled={chosen.length === 0}
        onClick={() => void startAll(chosen.map(({ source }) => source))}
      >
        {chosen.length === sources.length
          ? 'Sync all'
          : `Sync ${chosen.length} of ${sources.length}`}
      </Button>
    </>
  );
}

type Ended = Pick<SourceState, 'lists'> & { readonly state: string };

function describeEnd(state: Ended['state'], lists: Ended['lists']): string {
  if (!state.startsWith('succeeded')) return 'Failed: see Sync for the reason';
  const rows = lists.reduce((sum, list) => sum + list.rows, 0);
  return rows === 0 ? 'Synced' : `${formatNumber(rows)} records`;
}
