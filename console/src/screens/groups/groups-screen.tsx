/** The groups of machines: what each has, who looks after it, and how many machines it has now. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import {
  changeMachineGroupEndpoint,
  type MachineGroup,
  removeMachineGroupEndpoint,
} from '@patch/contract/fleet/machine-group-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { policyWords } from '../../fleet/due-words.ts';
import { GroupForm } from '../../fleet/group-form.tsx';
import { isOverdue, toMachineFigure } from '../../fleet/machine-figure.ts';
import { useGroups } from '../../fleet/use-groups.ts';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { criterionText } from '../../values/criterion-text.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { buttonClass } from '../../widgets/button.tsx';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { formatCount, formatNumber } from '../../widgets/format-number.ts';
import { listPath } from '../../widgets/list-paths.ts';
import { PageHeader } from '../../widgets/page-header.tsx';
import rows from '../../widgets/row-list.module.css';
import { useNow } from '../../widgets/ticking-clock.ts';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './groups-screen.module.css';

const machines = getList('machines');
const groupsKey = queryKeys.machineGroups.all();

export function GroupsScreen() {
  const isAdmin = useMay('admin');
  const groups = useGroups();
  const [edited, setEdited] = useState<MachineGroup | null>(null);
  const remove = useConfirmedAction({
    question: ({ name }: MachineGroup) => ({
      title: `Remove the group ${name}?`,
      body: 'Its machines stay. Views, alerts and plans with the group find nothing any more.',
      danger: true,
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(removeMachineGroupEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `Group ${name} removed.`,
    invalidates: [groupsKey],
  });
  return (
    <>
      <PageHeader
        title="Groups"
        actions={
          isAdmin && (
            <Link to={listPath(machines)} className={buttonClass({ look: 'primary' })}>
              New group from machines
            </Link>
          )
        }
      />
      <div className={`${styles['screen']} mt-4`}>
        <p className="text-quiet">
          A group has the machines that report with its keys, or those that meet its criteria at any
          time.
          {isAdmin && ' Choose criteria in the list of machines, then save them as a group.'}
        </p>
        <ResourceList
          query={groups}
          what="groups"
          label="Groups"
          empty="No groups yet."
          action={(group) =>
            isAdmin && (
              <>
                <RowButton
                  label="Edit"
                  object={`the group ${group.name}`}
                  onClick={() => setEdited(group)}
                />
                <RowButton
                  label="Remove"
                  object={`the group ${group.name}`}
                  onClick={() => void remove(group)}
                />
              </>
            )
          }
        >
          {(group) => <GroupRow group={group} />}
        </ResourceList>
      </div>
      <EditGroup group={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function GroupRow({ group }: { readonly group: MachineGroup }) {
  const { name, criteria, owner, overdue, duePolicy, problem } = group;
  const count = group.machines;
  const isInGroup = { paramName: 'group', operator: 'equal', value: name } as const;
  return (
    <>
      <strong>{name}</strong>
      {count !== null && (
        <p className={styles['targets']}>
          <FigureLink figure={toMachineFigure(count, [isInGroup])} counts={['machine', 'machines']}>
            {formatCount(count, ['machine', 'machines'])}
          </FigureLink>
          {overdue !== null && overdue > 0 && (
            <>
              {', '}
              <FigureLink
                figure={toMachineFigure(overdue, [isInGroup, isOverdue])}
                counts={['overdue', 'overdue']}
              >
                {formatNumber(overdue)} overdue
              </FigureLink>
            </>
          )}
        </p>
      )}
      <p className={`${rows['quiet']} ${styles['targets']}`}>
        {criteria === null ? (
          'Machines that report with its keys'
        ) : (
          <CriteriaWords text={criteria} />
        )}
      </p>
      <p className={rows['quiet']}>{owner === null ? 'Nobody owns it' : `Owner: ${owner.name}`}</p>
      <p className={rows['quiet']}>
        Due{duePolicy === null && ' by default'}: {policyWords(duePolicy)}
      </p>
      {problem !== null && (
        <p role="alert" className={rows['late']}>
          Its criteria are no longer valid: {problem}
        </p>
      )}
    </>
  );
}

/** The criteria in words, as a link to the list with them. */
function CriteriaWords({ text }: { readonly text: string }) {
  const zone = useReaderZone();
  const now = useNow();
  const { criteria } = readCriteria(machines, text, { now, timeZone: zone });
  const sentences = criteria.map((one) => {
    const { label, operator, value } = criterionText(getField(machines, one.paramName), one, zone);
    return `${label} ${operator} ${value}`.trim();
  });
  const words = sentences.length === 0 ? 'All machines' : sentences.join(', ');
  return (
    <Link
      to={listPath(machines)}
      search={{ ...(text !== '' && { criteria: text }), view: 'all' } as never}
    >
      {words}
    </Link>
  );
}

function EditGroup({
  group,
  onClose,
}: {
  readonly group: MachineGroup | null;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  return (
    <Modal
      open={group !== null}
      title="Edit group"
      mask={{ closable: false }}
      footer={null}
      onCancel={onClose}
      destroyOnHidden
    >
      {group !== null && (
        <GroupForm
          group={group}
          submit="Save"
          onCancel={onClose}
          onSave={async (body) => {
            await callApi(changeMachineGroupEndpoint, { params: { id: String(group.id) }, body });
            toast.success(`Group ${body.name} is saved.`);
            await queries.invalidateQueries({ queryKey: groupsKey });
            onClose();
          }}
        />
      )}
    </Modal>
  );
}
