/** One task of a plan: what is run on which machines, and when. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { Plan, PlanTask, PlanUpdate } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { CommandToCopy } from '../../fleet/command-to-copy.tsx';
import { DueCell, RecordCell, SeverityCell } from '../../fleet/missing-cells.tsx';
import { stateOrder, stateWords } from '../../fleet/plan-words.ts';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import { identifierPath, recordPath } from '../../widgets/list-paths.ts';
import { MachineNames } from './machine-names.tsx';
import styles from './plans.module.css';
import { TaskWindow } from './task-window.tsx';

interface PlanTaskCardProps {
  readonly planId: number;
  readonly task: PlanTask;
  readonly names: Plan['names'];
}

export function PlanTaskCard({ planId, task, names }: PlanTaskCardProps) {
  const { position, system, command, restart, updates, machines } = task;
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const heading = `Task ${position + 1}: ${system}, ${formatCount(updates.length, ['update', 'updates'])} on ${formatCount(machines.length, ['machine', 'machines'])}`;
  return (
    <section aria-label={`Task ${position + 1}`} className={styles['task']}>
      <h2 className="text-body font-600 figures">{heading}</h2>
      {command === null ? (
        <ByHand task={task} />
      ) : (
        <CommandToCopy command={command} what="command" />
      )}
      {restart !== null && (
        <p>Afterwards: {restart === 'Required' ? 'restart required' : restart}</p>
      )}
      <details open={updates.length <= 3}>
        <summary className="cursor-pointer figures">
          {formatCount(updates.length, ['update', 'updates'])}
        </summary>
        <Updates updates={updates} />
      </details>
      {stateOrder.map((state) => {
        const own = machines.filter((machine) => machine.state === state);
        return own.length === 0 ? null : (
          <MachineNames
            key={state}
            label={stateWords[state]}
            machines={own.map(({ id, movedTo }) => ({ id, name: nameOf.get(id), note: movedTo }))}
          />
        );
      })}
      <TaskWindow planId={planId} task={task} />
    </section>
  );
}

/** Windows Update and others have no command of their own. */
function ByHand({ task: { manager, updates } }: Pick<PlanTaskCardProps, 'task'>) {
  const names = updates.flatMap(({ identifier }) => identifier ?? []);
  return (
    <>
      <p>
        {manager === 'windowsUpdate'
          ? 'Approve these for Windows Update, or run the PowerShell file on the machines.'
          : 'No command is known that installs them.'}
      </p>
      {names.length > 0 && <CommandToCopy command={names.join(' ')} what="identifiers" />}
    </>
  );
}

function Updates({ updates }: { readonly updates: readonly PlanUpdate[] }) {
  return (
    <div className="overflow-x-auto">
      <table className={styles['updates']}>
        <ColumnHeads of={['Update', 'Severity', 'Due', 'Closes', 'Known issues']} />
        <tbody>
          {updates.map((update) => (
            <tr key={`${update.list} ${update.recordId}`}>
              <RecordCell record={update} />
              <SeverityCell record={update} />
              <DueCell due={update.due} />
              <td className={`${styles['closes']} break-anywhere`}>
                {update.closes.length === 0
                  ? 'Itself'
                  : update.closes.map((identifier, index) => (
                      <span key={identifier}>
                        {index > 0 && ', '}
                        <Link to={identifierPath(identifier)}>{identifier}</Link>
                      </span>
                    ))}
              </td>
              <td className="figures">
                {update.knownIssues === null ? (
                  'None stated'
                ) : (
                  <Link to={recordPath(getList(update.list as ListKey), update.recordId)}>
                    {update.knownIssues}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
