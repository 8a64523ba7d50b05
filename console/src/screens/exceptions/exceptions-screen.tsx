/** The exceptions that are valid now: on which machines each record may be missing, why, whose decision it is, and until when. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import {
  changeExceptionEndpoint,
  exceptionsEndpoint,
  exceptionWarningDays,
  type ListedException,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { exceptionKindWords, mayDecide } from '@patch/contract/fleet/exception-kinds.ts';
import { scopeWords } from '@patch/contract/fleet/exception-scope-words.ts';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Modal } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useMay, useSession } from '../../api/session.ts';
import { toast } from '../../api/toast.ts';
import { useEndException } from '../../fleet/accepted-records.tsx';
import { ExceptionForm } from '../../fleet/exception-form.tsx';
import { endWords, recordName } from '../../fleet/exception-words.ts';
import { ResourceRows, RowButton } from '../../resources/resource-list.tsx';
import { dayDate } from '../../values/day-date.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { Button } from '../../widgets/button.tsx';
import { formatCount, formatNumber } from '../../widgets/format-number.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import rows from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { useNow } from '../../widgets/ticking-clock.ts';
import { ExceptionFilters } from './exception-filters.tsx';
import styles from './exceptions-screen.module.css';
import { type ExceptionsSearch, exceptionsSearchSchema } from './exceptions-search.ts';

const pageSize = 50;
const dayMs = 86_400_000;

export function ExceptionsScreen() {
  const search = exceptionsSearchSchema.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const pages = useExceptionPages(search);
  const mayExcept = useMay('operator');
  const [first] = pages.data?.pages ?? [];
  return (
    <>
      <PageHeader
        title="Exceptions"
        beside={first && formatCount(first.totalCount, ['exception', 'exceptions'])}
      />
      <div className={`${styles['screen']} grid grid-cols-1 gap-3 mt-4`}>
        <p className="text-quiet">
          A record with an exception does not count as missing on its machines, and is not overdue
          there, until the exception ends. It does not hold after a new name of the machine: such
          ones are listed among the ended ones.{mayExcept && ' Make one on the page of a machine.'}
        </p>
        <ExceptionFilters
          search={search}
          onChange={(next) => void navigate({ to: '.', search: next as never })}
        />
        {first !== undefined && search.endedWithin === undefined && (
          <Counts counts={first.counts} search={search} />
        )}
        <ExceptionRows pages={pages} />
      </div>
    </>
  );
}

function useExceptionPages({ kind, endsWithin, endedWithin, owner, group }: ExceptionsSearch) {
  const { user } = useSession();
  const filter = {
    ...(kind !== undefined && { kind }),
    ...(endsWithin !== undefined && { endsWithin: String(endsWithin) }),
    ...(endedWithin !== undefined && { endedWithin: String(endedWithin) }),
    ...(owner !== undefined && { owner: owner === 'me' ? String(user?.id ?? 0) : owner }),
    ...(group !== undefined && { group }),
  };
  return useInfiniteQuery({
    queryKey: queryKeys.exceptions.pages(filter),
    queryFn: ({ pageParam, signal }) =>
      callApi(exceptionsEndpoint, {
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

type Pages = ReturnType<typeof useExceptionPages>;

/** The numbers of each kind, and of those that end soon, as links to them. */
function Counts({
  counts,
  search,
}: {
  readonly counts: NonNullable<Pages['data']>['pages'][number]['counts'];
  readonly search: ExceptionsSearch;
}) {
  const kinds = [
    ['accepted', counts.accepted],
    ['not_applicable', counts.not_applicable],
    ['waiting', counts.waiting],
  ] as const;
  const soon = `${formatNumber(counts.endSoon)} end within ${exceptionWarningDays} days`;
  return (
    <p className={`${styles['targets']} flex flex-wrap items-center gap-3`}>
      {counts.endSoon > 0 ? (
        <Link to="." search={{ ...search, endsWithin: exceptionWarningDays } as never}>
          {soon}
        </Link>
      ) : (
        <span className="text-quiet">None ends within {exceptionWarningDays} days</span>
      )}
      {kinds.map(
        ([kind, count]) =>
          count > 0 && (
            <Link key={kind} to="." search={{ ...search, kind } as never}>
              {exceptionKindWords[kind]}: {formatNumber(count)}
            </Link>
          ),
      )}
    </p>
  );
}

function ExceptionRows({ pages }: { readonly pages: Pages }) {
  const { user } = useSession();
  const now = useNow();
  const [edited, setEdited] = useState<ListedException | null>(null);
  const end = useEndException();
  if (pages.data === undefined)
    return pages.error === null ? (
      <Skeleton rows={6} />
    ) : (
      <LoadFailure what="exceptions" failure={pages.error} onReload={() => void pages.refetch()} />
    );
  const exceptions = pages.data.pages.flatMap(({ objList }) => objList);
  if (exceptions.length === 0) return <p className="text-quiet">No exceptions.</p>;
  return (
    <>
      <ResourceRows
        label="Exceptions"
        items={exceptions.map((exception) => ({ ...exception, id: exception.exceptionId }))}
        action={(exception) => {
          const name = recordName(exception);
          const object = `the exception for ${name} ${scopeWords(exception)}`;
          return (
            mayDecide(user, exception.owner) && (
              <div className={styles['actions']}>
                <RowButton label="Edit" object={object} onClick={() => setEdited(exception)} />
                {!hasEnded(exception, now) && (
                  <RowButton
                    label="End"
                    object={object}
                    onClick={() => void end({ ...exception, name })}
                  />
                )}
              </div>
            )
          );
        }}
      >
        {(exception) => <ExceptionRow exception={exception} />}
      </ResourceRows>
      {pages.hasNextPage && (
        <div>
          <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            More exceptions
          </Button>
        </div>
      )}
      <EditException exception={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function ExceptionRow({ exception }: { readonly exception: ListedException }) {
  const { kind, list, recordId, title, machineId, name, until, reason, by, owner, holds } =
    exception;
  const { withdrawnTime } = exception;
  const zone = useReaderZone();
  const now = useNow();
  const isEnded = hasEnded(exception, now);
  const isSoon = !isEnded && holds && until !== null && until <= now + exceptionWarningDays * dayMs;
  return (
    <>
      <p className={styles['targets']}>
        <Link to={recordPath(getList(list as ListKey), recordId)}>
          <strong>{recordName(exception)}</strong>
        </Link>{' '}
        {machineId === null ? (
          scopeWords(exception)
        ) : (
          <>
            on <Link to={recordPath(machineList, machineId)}>{name ?? machineId}</Link>
          </>
        )}
      </p>
      {title !== null && <p className={rows['quiet']}>{title}</p>}
      <p>
        <em className={rows['mark']}>{exceptionKindWords[kind]}</em>{' '}
        <span className={isSoon ? rows['late'] : undefined}>
          {isEnded ? `ended on ${dayDate(until ?? 0, zone)}` : endWords(until, zone)}
          {isSoon && `, ${daysLeft(until, now)}`}
        </span>
      </p>
      {!holds && !isEnded && (
        <p className="text-warning">
          {withdrawnTime === null
            ? `Not in effect: ${machineId === null ? 'each of its machines' : 'the machine'} has another name now, or another one reports its key.`
            : `Not in effect: the vendor has not listed the record since ${dayDate(withdrawnTime, zone)}.`}
        </p>
      )}
      <p>{reason}</p>
      <p className={rows['quiet']}>
        {owner === null ? 'Nobody owns it' : `Owner: ${owner.name}`}
        {owner?.name !== by && `, decided by ${by}`}
      </p>
    </>
  );
}

const hasEnded = ({ until }: Pick<ListedException, 'until'>, now: number): boolean =>
  until !== null && until <= now;

function daysLeft(until: number, now: number): string {
  const days = Math.ceil((until - now) / dayMs);
  return days <= 1 ? 'within a day' : `in ${days} days`;
}

function EditException({
  exception,
  onClose,
}: {
  readonly exception: ListedException | null;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  return (
    <Modal
      open={exception !== null}
      title={exception === null ? '' : `Exception for ${recordName(exception)}`}
      mask={{ closable: false }}
      footer={null}
      width={480}
      onCancel={onClose}
      destroyOnHidden
    >
      {exception !== null && (
        <ExceptionForm
          exception={exception}
          onCancel={onClose}
          onSave={async (body) => {
            await callApi(changeExceptionEndpoint, {
              params: { exceptionId: String(exception.exceptionId) } as never,
              body,
            });
            toast.success(`Exception for ${recordName(exception)} is saved.`);
            await queries.invalidateQueries({ queryKey: queryKeys.lists.all('machines') });
            onClose();
          }}
        />
      )}
    </Modal>
  );
}
