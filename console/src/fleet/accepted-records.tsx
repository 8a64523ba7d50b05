/** The accepted records of a machine: reason, end date and author. Administrators can end an exception. */

import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import {
  type AcceptedMissing,
  endExceptionEndpoint,
  type ListedException,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { exceptionKindWords, mayDecide } from '@patch/contract/fleet/exception-kinds.ts';
import { scopeWords } from '@patch/contract/fleet/exception-scope-words.ts';
import type { MachineMissingRecord } from '@patch/contract/fleet/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useMay, useSession } from '../api/session.ts';
import { ColumnHeads } from '../theme/column-heads.tsx';
import { useReaderZone } from '../values/reader-zone.ts';
import { buildMissingRecords } from '../widgets/build-figure.ts';
import { Button } from '../widgets/button.tsx';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { useConfirmedAction } from '../widgets/use-confirmed-action.ts';
import { endWords, recordName } from './exception-words.ts';
import styles from './fleet.module.css';
import { RecordCell, SeverityCell } from './missing-cells.tsx';
import { useExceptionsOfClient, useMachineAccepted } from './use-fleet.ts';

interface AcceptedRecordsProps {
  readonly machineId: number;
  readonly count: number;
  /** Index of the first accepted record among the records of the machine. */
  readonly offset: number;
}

export function AcceptedRecords({ machineId, count, offset }: AcceptedRecordsProps) {
  const mayEnd = useMay('operator');
  const { data, error, refetch } = useMachineAccepted(machineId, offset);
  if (error !== null)
    return <LoadFailure what="accepted records" failure={error} onReload={() => void refetch()} />;
  const records = data?.objList.filter(({ accepted }) => accepted !== null) ?? [];
  return (
    <section className="grid grid-cols-1 gap-3 min-w-0" aria-label="Accepted records">
      <h3 className="text-body font-600">
        <FigureLink
          figure={buildMissingRecords(count, machineId, 'acceptedOn')}
          counts={['record accepted', 'records accepted']}
        />{' '}
        accepted <span className="text-quiet font-400 figures">not counted as missing</span>
      </h3>
      <div className={styles['scroller']}>
        <table className={`${styles['table']} w-full border-collapse text-dense`}>
          <ColumnHeads of={['Record', 'Severity', 'Accepted', mayEnd && 'Action']} />
          <tbody>
            {records.map((record) => (
              <AcceptedRow key={`${record.list} ${record.recordId}`} record={record} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function AcceptedRow({ record }: { readonly record: MachineMissingRecord }) {
  const { accepted, identifier, recordId } = record;
  if (accepted === null) return null;
  return (
    <tr>
      <RecordCell record={record} />
      <SeverityCell record={record} />
      <td>
        <AcceptanceDetails accepted={accepted} />
        {widerScopes[accepted.scope] !== undefined && (
          <span className={`${styles['below']} text-quiet figures`}>
            {widerScopes[accepted.scope]}
          </span>
        )}
      </td>
      <EndCell exception={accepted} name={identifier ?? `record ${recordId}`} />
    </tr>
  );
}

/** Exceptions that end with this one are those of more machines. */
const widerScopes: Readonly<Partial<Record<AcceptedMissing['scope'], string>>> = {
  client: 'On all machines of the client',
  group: 'On machines of a group',
  all: 'On all machines',
};

function AcceptanceDetails({ accepted }: { readonly accepted: AcceptedMissing }) {
  const { kind, until, by, reason, owner } = accepted;
  const zone = useReaderZone();
  return (
    <>
      {exceptionKindWords[kind]}: {reason}
      <span className={`${styles['below']} text-quiet figures`}>
        {endWords(until, zone)}, by {by}
        {owner !== null && owner.name !== by && `, owner ${owner.name}`}
      </span>
    </>
  );
}

interface ExceptionToEnd extends Pick<AcceptedMissing, 'exceptionId' | 'scope'> {
  /** The name of the record. */
  readonly name: string;
}

/** Ends an exception before its date, after confirmation. */
export const useEndException = () =>
  useConfirmedAction<ExceptionToEnd>({
    question: ({ name, scope }) => ({
      title: `End the exception for ${name}?`,
      body: `The record counts as missing again${scope === 'machine' ? '' : ' on all machines of the exception'}.`,
      yes: 'End exception',
    }),
    run: ({ exceptionId }) =>
      callApi(endExceptionEndpoint, { params: { exceptionId: String(exceptionId) } as never }),
    success: ({ name }) => `${name} counts as missing again`,
    invalidates: [queryKeys.lists.all('machines'), queryKeys.clients.all()],
  });

/** The button that ends an exception, for those who may decide about it. Other columns stay where they are for the others. */
function EndCell({
  exception,
  name,
}: {
  readonly exception: AcceptedMissing;
  readonly name: string;
}) {
  const { user } = useSession();
  const mayEnd = useMay('operator');
  const end = useEndException();
  if (!mayEnd) return null;
  return (
    <td>
      {mayDecide(user, exception.owner) && (
        <Button
          small
          aria-label={`End the exception for ${name}`}
          onClick={() => void end({ ...exception, name })}
        >
          End
        </Button>
      )}
    </td>
  );
}

/** The missing records that are accepted for a client or one of its machines. Renders nothing without any. */
export function ClientExceptions({ id }: { readonly id: number }) {
  const mayEnd = useMay('operator');
  const { data, error, refetch } = useExceptionsOfClient(id);
  if (error !== null)
    return <LoadFailure what="exceptions" failure={error} onReload={() => void refetch()} />;
  if (data === undefined || data.totalCount === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-3 min-w-0" aria-label="Accepted records">
      <h3 className="text-body font-600">
        {formatNumber(data.totalCount)} accepted{' '}
        <span className="text-quiet font-400 figures">not counted as missing</span>
      </h3>
      <div className={styles['scroller']}>
        <table className={`${styles['table']} w-full border-collapse text-dense`}>
          <ColumnHeads of={['Record', 'For', 'Accepted', mayEnd && 'Action']} />
          <tbody>
            {data.objList.map((exception) => (
              <ExceptionRow key={exception.exceptionId} exception={exception} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ExceptionRow({ exception }: { readonly exception: ListedException }) {
  const { list, recordId, title, machineId } = exception;
  const name = recordName(exception);
  return (
    <tr>
      <td>
        <Link to={recordPath(getList(list as ListKey), recordId)}>{name}</Link>
        <span className={`${styles['below']} text-quiet figures`}>{title}</span>
      </td>
      <td>
        {machineId === null ? (
          scopeWords(exception).replace(/^on/, 'On')
        ) : (
          <Link to={recordPath(machineList, machineId)}>{exception.name ?? machineId}</Link>
        )}
      </td>
      <td>
        <AcceptanceDetails accepted={exception} />
      </td>
      <EndCell exception={exception} name={name} />
    </tr>
  );
}
