/** Plans of updates, the newest first, with how far they are. */
import { getList } from '@patch/catalogue/lists.ts';
import {
  type PlanSummary,
  plansEndpoint,
  removePlanEndpoint,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { choiceWords, gapWords, progressWords } from '../../fleet/plan-words.ts';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { Button, buttonClass } from '../../widgets/button.tsx';
import { listPath, planPath } from '../../widgets/list-paths.ts';
import { PageHeader } from '../../widgets/page-header.tsx';
import rows from '../../widgets/row-list.module.css';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './plans.module.css';

const machines = getList('machines');

export function PlansScreen() {
  const mayAct = useMay('operator');
  const plans = usePlanPages();
  const remove = useConfirmedAction({
    question: ({ name }: PlanSummary) => ({
      title: `Remove the plan ${name}?`,
      body: 'What was installed stays installed.',
      danger: true,
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(removePlanEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `Plan ${name} removed.`,
    invalidates: [queryKeys.plans.all()],
  });
  return (
    <>
      <PageHeader
        title="Plans"
        actions={
          mayAct && (
            <Link to={listPath(machines)} className={buttonClass({ look: 'primary' })}>
              New plan from machines
            </Link>
          )
        }
      />
      <div className={styles['screen']}>
        <ResourceList
          query={plans}
          what="plans"
          label="Plans"
          empty={
            mayAct
              ? 'No plans yet. Choose machines in their list, then “Plan updates”.'
              : 'No plans yet.'
          }
          action={(plan) =>
            mayAct && (
              <RowButton
                label="Remove"
                object={`the plan ${plan.name}`}
                onClick={() => void remove(plan)}
              />
            )
          }
        >
          {(plan) => <PlanRow plan={plan} />}
        </ResourceList>
        {plans.hasNextPage && (
          <div>
            <Button loading={plans.isFetchingNextPage} onClick={() => void plans.fetchNextPage()}>
              Older plans
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

/** Loads the plans, newest first, page by page. */
const usePlanPages = () =>
  useInfiniteQuery({
    queryKey: queryKeys.plans.all(),
    queryFn: ({ pageParam, signal }) =>
      callApi(plansEndpoint, { query: { offset: String(pageParam) }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }, pages) => {
      const loaded = pages.reduce((sum, { objList }) => sum + objList.length, 0);
      return loaded < totalCount ? loaded : null;
    },
    select: ({ pages }) => pages.flatMap(({ objList }) => objList),
  });

function PlanRow({ plan }: { readonly plan: PlanSummary }) {
  const { id, name, choice, records, createdAt, createdBy } = plan;
  const gaps = gapWords(plan);
  return (
    <>
      <Link to={planPath(id)}>
        <strong>{name}</strong>
      </Link>
      <p className="figures">{progressWords(plan)}</p>
      {gaps.length > 0 && <p className={`${rows['late']} figures`}>{gaps.join('; ')}.</p>}
      <p className={rows['quiet']}>
        {choice === 'records' ? records.join(', ') : choiceWords[choice]} · made{' '}
        <TimeAgo value={createdAt} /> by {createdBy}
      </p>
    </>
  );
}
