/** A plan: how far it is, its tasks, its files, and what it does not cover. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import {
  type Plan,
  type PlanFile,
  planFileEndpoint,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { callForFile } from '../../api/call-api.ts';
import { takeText } from '../../api/take-file.ts';
import { toast } from '../../api/toast.ts';
import { choiceWords, gapWords, progressWords } from '../../fleet/plan-words.ts';
import { Loaded } from '../../resources/loaded.tsx';
import { Button } from '../../widgets/button.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import { plansPath, recordPath } from '../../widgets/list-paths.ts';
import { PageHeader } from '../../widgets/page-header.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { MachineNames } from './machine-names.tsx';
import { PlanTaskCard } from './plan-task-card.tsx';
import styles from './plans.module.css';
import { usePlan } from './use-plan.ts';

const files: readonly (readonly [file: PlanFile, label: string, type: string])[] = [
  ['playbook.yml', 'Ansible', 'application/yaml'],
  ['plan.sh', 'Shell', 'text/x-shellscript'],
  ['plan.ps1', 'PowerShell', 'text/plain'],
  ['plan.csv', 'CSV', 'text/csv'],
  ['plan.json', 'JSON', 'application/json'],
];

export function PlanScreen() {
  const id = useParams({ strict: false, select: (params) => Number(params.plan) });
  const plan = usePlan(id);
  return (
    <>
      <PageHeader
        back={{ to: plansPath, label: 'Plans' }}
        title={plan.data?.name ?? 'Plan'}
        actions={plan.data !== undefined && <Actions id={id} />}
      />
      <div className={styles['screen']}>
        <Loaded query={plan} what="plan" rows={8}>
          {(data) => <PlanBody plan={data} />}
        </Loaded>
      </div>
    </>
  );
}

function Actions({ id }: { readonly id: number }) {
  const take = useMutation({
    mutationFn: ([file]: (typeof files)[number]) =>
      callForFile(planFileEndpoint, { params: { id: String(id), file } }),
    onSuccess: (text, [file, , type]) => takeText(text, type, file),
    onError: (failure) => toast.failure(failure),
  });
  return (
    <div className={styles['actions']}>
      <Button small onClick={() => globalThis.print()}>
        Print
      </Button>
      {files.map((one) => (
        <Button
          key={one[0]}
          small
          loading={take.isPending && take.variables[0] === one[0]}
          onClick={() => take.mutate(one)}
        >
          {one[1]}
        </Button>
      ))}
    </div>
  );
}

function PlanBody({ plan }: { readonly plan: Plan }) {
  const { choice, records, createdAt, createdBy, machines, nothingToDo, tasks } = plan;
  const gaps = gapWords(plan);
  return (
    <>
      <p className="text-body font-600 figures">{progressWords(plan)}.</p>
      <p className="text-quiet figures">
        {choice === 'records' ? records.join(', ') : choiceWords[choice]} ·{' '}
        {formatCount(machines, ['machine', 'machines'])}
        {nothingToDo > 0 && `, ${nothingToDo} of them had nothing to install`} · made{' '}
        <ExactTime value={createdAt} /> by {createdBy}
      </p>
      {gaps.length > 0 && <Gaps plan={plan} words={gaps} />}
      {plan.sameNames.length > 0 && <SameNames machines={plan.sameNames} />}
      {tasks.map((task) => (
        <PlanTaskCard key={task.position} planId={plan.id} task={task} names={plan.names} />
      ))}
    </>
  );
}

/** Machines that the files cannot choose by their names. */
function SameNames({ machines }: { readonly machines: Plan['sameNames'] }) {
  const told = machines.filter(({ key }) => key !== null);
  const untold = machines.filter(({ key }) => key === null);
  return (
    <section aria-label="Machines with one name" className={styles['gaps']}>
      <p className="font-600">
        Other machines have the names of these. The playbook leaves them out, and the scripts choose
        by the key of patch-report.
      </p>
      {told.length > 0 && <MachineNames label="In the scripts by their keys" machines={told} />}
      {untold.length > 0 && (
        <MachineNames
          label="In no file, because their keys are not of patch-report"
          machines={untold}
        />
      )}
    </section>
  );
}

/** Machines and records that the plan does not cover. */
function Gaps({ plan, words }: { readonly plan: Plan; readonly words: readonly string[] }) {
  const { notJudged, beingJudged, notClosed, heldBack } = plan;
  return (
    <section aria-label="Not covered" className={styles['gaps']}>
      <p className="font-600 figures">{words.join('; ')}.</p>
      {notJudged.length > 0 && (
        <MachineNames label="Not judged: the page of each machine says why" machines={notJudged} />
      )}
      {beingJudged.length > 0 && (
        <MachineNames label="Not judged yet when the plan was made" machines={beingJudged} />
      )}
      <Records label="No known update closes" records={notClosed} />
      <Records label="The rings of their machines do not have" records={heldBack} />
    </section>
  );
}

interface RecordsProps {
  readonly label: string;
  readonly records: Plan['notClosed'];
}

function Records({ label, records }: RecordsProps) {
  if (records.length === 0) return null;
  return (
    <>
      <p className="text-quiet">{label}</p>
      <ul className="m-0 pl-4" aria-label={label}>
        {records.map(({ list, recordId, identifier, machines }) => (
          <li key={`${list} ${recordId}`} className="figures">
            <Link to={recordPath(getList(list as ListKey), recordId)}>
              {identifier ?? recordId}
            </Link>{' '}
            on {formatCount(machines, ['machine', 'machines'])}
          </li>
        ))}
      </ul>
    </>
  );
}
