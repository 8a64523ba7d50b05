/** Who deals with which records, on all machines or on one: those of the reader, of another person, or of everybody. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { type Assignment, assignmentsEndpoint } from '@patch/contract/records/note-endpoints.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Select } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { recordName } from '../../fleet/exception-words.ts';
import { FindingNotesDialog } from '../../fleet/finding-notes-dialog.tsx';
import { ResourceRows, RowButton } from '../../resources/resource-list.tsx';
import { Button } from '../../widgets/button.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import rows from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './assignments-screen.module.css';

const pageSize = 50;
const everybody = 'all';
const choices = [
  { value: 'me', label: 'Assigned to me' },
  { value: everybody, label: 'Assigned to anybody' },
];

export function AssignmentsScreen() {
  const { to = 'me' } = useSearch({ strict: false }) as { readonly to?: string };
  const navigate = useNavigate();
  const pages = useAssignmentPages(to);
  const mayAssign = useMay('operator');
  const [first] = pages.data?.pages ?? [];
  const known = choices.some(({ value }) => value === to);
  const person = first?.objList[0]?.name ?? to;
  return (
    <>
      <PageHeader
        title="Assigned"
        beside={first && formatCount(first.totalCount, ['assignment', 'assignments'])}
      />
      <div className={`${styles['screen']} grid grid-cols-1 gap-3 mt-4`}>
        <p className="text-quiet">
          Who deals with a record, on all machines or on one.
          {mayAssign && ' Assign it on the page of the record or of the machine.'}
        </p>
        <div role="search" aria-label="Filter assignments">
          <Select<string>
            aria-label="Assigned to"
            className={styles['filter'] ?? ''}
            value={to}
            options={known ? choices : [...choices, { value: to, label: `Assigned to ${person}` }]}
            onChange={(value) => void navigate({ to: '.', search: { to: value } as never })}
          />
        </div>
        <AssignmentRows pages={pages} />
      </div>
    </>
  );
}

/** @param to As the endpoint takes it, or `all`. */
function useAssignmentPages(to: string) {
  const filter = to === everybody ? {} : { to };
  return useInfiniteQuery({
    queryKey: queryKeys.notes.assignments(to),
    queryFn: ({ pageParam, signal }) =>
      callApi(assignmentsEndpoint, {
        query: { ...filter, offset: String(pageParam), size: String(pageSize) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }, all) => {
      const offset = all.length * pageSize;
      return offset < totalCount ? offset : null;
    },
    placeholderData: keepPreviousData,
  });
}

type Pages = ReturnType<typeof useAssignmentPages>;

function AssignmentRows({ pages }: { readonly pages: Pages }) {
  const [opened, setOpened] = useState<Assignment>();
  if (pages.data === undefined)
    return pages.error === null ? (
      <Skeleton rows={6} />
    ) : (
      <LoadFailure what="assignments" failure={pages.error} onReload={() => void pages.refetch()} />
    );
  const assignments = pages.data.pages.flatMap(({ objList }) => objList);
  return (
    <>
      {assignments.length === 0 ? (
        <p className="text-quiet">Nothing is assigned.</p>
      ) : (
        <ResourceRows
          label="Assignments"
          items={assignments}
          action={(assignment) => (
            <RowButton
              label="Notes"
              object={`and assignee of ${describe(assignment)}`}
              onClick={() => setOpened(assignment)}
            />
          )}
        >
          {(assignment) => <AssignmentRow assignment={assignment} />}
        </ResourceRows>
      )}
      {pages.hasNextPage && (
        <div>
          <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            More assignments
          </Button>
        </div>
      )}
      <FindingNotesDialog
        finding={
          opened === undefined ? undefined : { ...opened, machineId: opened.machineId ?? undefined }
        }
        name={opened === undefined ? '' : describe(opened)}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}

/** Returns 'ALSA-2024:9 on web-1'. */
const describe = (assignment: Assignment): string =>
  assignment.machineId === null
    ? `${recordName(assignment)} on all machines`
    : `${recordName(assignment)} on ${assignment.machine ?? assignment.machineId}`;

function AssignmentRow({ assignment }: { readonly assignment: Assignment }) {
  const { list, recordId, title, machineId, machine, userId, name, by, time } = assignment;
  return (
    <>
      <p className={styles['targets']}>
        <Link to={recordPath(getList(list as ListKey), recordId)}>
          <strong>{recordName(assignment)}</strong>
        </Link>{' '}
        {machineId === null ? (
          'on all machines'
        ) : (
          <>
            on <Link to={recordPath(machineList, machineId)}>{machine ?? machineId}</Link>
          </>
        )}
      </p>
      {title !== null && <p className={rows['quiet']}>{title}</p>}
      <p className={styles['targets']}>
        Assigned to{' '}
        <Link to="." search={{ to: userId === null ? name : String(userId) } as never}>
          {name}
        </Link>{' '}
        <span className="text-quiet">
          by {by}, <TimeAgo value={time} />
        </span>
      </p>
    </>
  );
}
