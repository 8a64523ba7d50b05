/** The missing records of a machine, above its facts: first the limits of the judgement, then each record with its evidence. */

import { isProven, unjudgedCause } from '@patch/contract/fleet/assessment-words.ts';
import type { MachineMissingRecord } from '@patch/contract/fleet/machine-endpoints.ts';
import { bandLabels } from '@patch/contract/fleet/missing-bands.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../api/query-keys.ts';
import { useMay } from '../api/session.ts';
import { ColumnHeads } from '../theme/column-heads.tsx';
import { buildMissingRecords } from '../widgets/build-figure.ts';
import { Button } from '../widgets/button.tsx';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { lazyAntd } from '../widgets/lazy-antd.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Spinner } from '../widgets/spinner.tsx';
import { useHasBeen } from '../widgets/use-has-been.ts';
import { AcceptedRecords } from './accepted-records.tsx';
import { BandInstall, describeState } from './band-install.tsx';
import { BeingJudged } from './being-judged.tsx';
import { recordName } from './exception-words.ts';
import styles from './fleet.module.css';
import { ComparedSources, NotJudged } from './judgement-lines.tsx';
import { DueCell, EvidenceCell, RecordCell, SeverityCell } from './missing-cells.tsx';
import { RemoveMachine } from './remove-machine.tsx';
import { useMachineMissing } from './use-fleet.ts';

const AcceptMissingDialog = lazyAntd(
  () => import('./accept-missing-dialog.tsx'),
  'AcceptMissingDialog',
);

const FindingNotesDialog = lazyAntd(
  () => import('./finding-notes-dialog.tsx'),
  'FindingNotesDialog',
);

const initialSize = 20;
const maxSize = 1000;

export function MachinePanel({ id }: { readonly id: number }) {
  const mayAct = useMay('operator');
  const [size, setSize] = useState(initialSize);
  const { data, error, refetch } = useMachineMissing(id, size);
  if (error !== null)
    return <LoadFailure what="missing records" failure={error} onReload={() => void refetch()} />;
  if (data === undefined) return <Spinner />;
  const {
    objList,
    totalCount,
    acceptedCount,
    bands,
    install,
    judgedOn,
    reportedOn,
    notJudged,
    judgement,
  } = data;
  const missingCount = totalCount - acceptedCount;
  const missing = objList.filter(({ accepted }) => accepted === null);
  return (
    <section
      className="grid grid-cols-1 gap-3 min-w-0 p-4 border rounded bg-canvas"
      aria-label="Missing records"
    >
      {judgedOn !== null && <ComparedSources judgement={judgement} />}
      <p className="text-body font-600">
        {judgedOn === null ? (
          <>
            The machine is <BeingJudged since={reportedOn} />: nothing is known yet about missing
            patches.
          </>
        ) : missingCount > 0 && !notJudged ? (
          <MissingFigures id={id} reply={data} />
        ) : (
          getHeadline(acceptedCount, { notJudged, judgement })
        )}
        <OtherFigures id={id} reply={data} />
      </p>
      {data.ring !== null &&
        ((judgedOn !== null && !notJudged) || data.ring.newer + data.ring.declined > 0) && (
          <RingLine ring={data.ring} />
        )}
      {judgedOn !== null && <NotJudged judgement={judgement} />}
      {bands.map((summary, index) => (
        <section key={summary.band} aria-label={bandLabels[summary.band]}>
          <h3 className="text-body font-600">
            {bandLabels[summary.band]}: {formatNumber(summary.missing)}
          </h3>
          <BandInstall summary={summary} install={install} isPrimary={index === 0} />
        </section>
      ))}
      {missing.length > 0 && <MissingRecords machineId={id} records={missing} mayAct={mayAct} />}
      {missingCount > missing.length && size < maxSize && (
        <div className="flex flex-wrap gap-2">
          <Button small onClick={() => setSize(maxSize)}>
            Show all {formatNumber(missingCount)}
          </Button>
        </div>
      )}
      {acceptedCount > 0 && (
        <AcceptedRecords machineId={id} count={acceptedCount} offset={missingCount} />
      )}
      <div className="flex flex-wrap gap-2">
        <RemoveMachine id={id} />
      </div>
    </section>
  );
}

type MissingReply = NonNullable<ReturnType<typeof useMachineMissing>['data']>;

/** The numbers of records that are missing, and that may be. */
function MissingFigures({ id, reply }: { readonly id: number; readonly reply: MissingReply }) {
  const { totalCount, acceptedCount, missingCount, judgement } = reply;
  const uncertainCount = totalCount - acceptedCount - missingCount;
  const missing = (
    <>
      {judgement.verdicts.notJudged > 0 ? 'At least ' : ''}
      <FigureLink
        figure={buildMissingRecords(missingCount, id, 'missingOn')}
        counts={['record missing', 'records missing']}
      />{' '}
      {missingCount === 1 ? 'record' : 'records'} missing
    </>
  );
  if (uncertainCount === 0) return missing;
  return (
    <>
      {missingCount > 0 && <>{missing}, and </>}
      <FigureLink
        figure={buildMissingRecords(uncertainCount, id, 'mayBeMissingOn')}
        counts={['record may be missing', 'records may be missing']}
      />{' '}
      {missingCount > 0
        ? 'more may be'
        : uncertainCount === 1
          ? 'record may be missing'
          : 'records may be missing'}
      , or {uncertainCount === 1 ? 'needs' : 'need'} a subscription
    </>
  );
}

/** Counts the missing records that the ring of the machine does not have, which plans and commands leave out. */
function RingLine({ ring }: { readonly ring: NonNullable<MissingReply['ring']> }) {
  const { name, checkpoint, newer, declined } = ring;
  const parts = [
    ...(newer > 0 ? [`${formatNumber(newer)} newer than its checkpoint ${checkpoint}`] : []),
    ...(declined > 0 ? [`${formatNumber(declined)} declined for it`] : []),
  ];
  return (
    <p className="text-quiet figures">
      In the ring {name}
      {parts.length === 0
        ? `, which has all of them at its checkpoint ${checkpoint}.`
        : `: ${parts.join(' and ')}. Plans and the commands below leave these out.`}
    </p>
  );
}

/** The numbers of overdue records, which are among the missing ones, and of accepted ones. */
function OtherFigures({ id, reply }: { readonly id: number; readonly reply: MissingReply }) {
  const { overdueCount, acceptedCount } = reply;
  return (
    <>
      {overdueCount > 0 && (
        <span className="text-danger">
          ,{' '}
          <FigureLink
            figure={buildMissingRecords(overdueCount, id, 'overdueOn')}
            counts={['record overdue', 'records overdue']}
          />{' '}
          overdue
        </span>
      )}
      {acceptedCount > 0 && (
        <span className="text-quiet font-400 figures">
          {' '}
          and{' '}
          <FigureLink
            figure={buildMissingRecords(acceptedCount, id, 'acceptedOn')}
            counts={['record accepted', 'records accepted']}
          />{' '}
          accepted, see below
        </span>
      )}
    </>
  );
}

/** Never says that nothing is missing when something was not judged or a source is stale. */
function getHeadline(
  acceptedCount: number,
  { notJudged, judgement }: Pick<MissingReply, 'notJudged' | 'judgement'>,
): string {
  if (notJudged)
    return `Not judged: ${unjudgedCause(judgement)}, so nothing is known about missing patches.`;
  if (!isProven({ ...judgement, missing: [] }))
    return acceptedCount > 0
      ? 'No missing patch could be proven except accepted records.'
      : 'No missing patch could be proven.';
  return acceptedCount > 0
    ? 'Nothing is missing except accepted records.'
    : 'Nothing is missing of what this repository knows.';
}

interface MissingRecordsProps {
  readonly machineId: number;
  readonly records: readonly MachineMissingRecord[];
  readonly mayAct: boolean;
}

function MissingRecords({ machineId, records, mayAct }: MissingRecordsProps) {
  const queries = useQueryClient();
  const [accepting, setAccepting] = useState<MachineMissingRecord>();
  const hasOpened = useHasBeen(accepting !== undefined);
  const [noted, setNoted] = useState<MachineMissingRecord>();
  const hasNoted = useHasBeen(noted !== undefined);
  return (
    // Narrow drawers scroll the table, not the page.
    <div className={`${styles['scroller']} ${styles['sixColumns']}`}>
      <table className={`${styles['table']} w-full border-collapse text-dense`}>
        <ColumnHeads of={['Record', 'Severity', 'Due', 'Installed → fixed', 'State', 'Action']} />
        <tbody>
          {records.map((record) => (
            <tr key={`${record.list} ${record.recordId}`}>
              <RecordCell record={record} />
              <SeverityCell record={record} />
              <DueCell due={record.due} />
              <EvidenceCell record={record} />
              <td>
                {describeState(record)}
                {record.heldBack !== null && (
                  <span className={`${styles['below']} text-quiet`}>
                    Held back:{' '}
                    {record.heldBack === 'newer' ? 'newer than the ring' : 'declined for it'}
                  </span>
                )}
                {record.assignee !== null && (
                  <span className={`${styles['below']} text-quiet`}>
                    Assigned to {record.assignee.name}
                  </span>
                )}
              </td>
              <td>
                <div className="flex flex-wrap gap-2">
                  {mayAct && (
                    <Button
                      small
                      aria-label={`Accept ${recordName(record)}`}
                      onClick={() => setAccepting(record)}
                    >
                      Accept
                    </Button>
                  )}
                  <Button
                    small
                    aria-label={`Notes and assignee of ${recordName(record)}`}
                    onClick={() => setNoted(record)}
                  >
                    {record.notes === 0 ? 'Notes' : `Notes: ${formatNumber(record.notes)}`}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasOpened && (
        <AcceptMissingDialog
          machineId={machineId}
          record={accepting}
          onClose={() => setAccepting(undefined)}
          onAccepted={async () => {
            await queries.invalidateQueries({ queryKey: queryKeys.lists.all('machines') });
            await queries.invalidateQueries({ queryKey: queryKeys.clients.all() });
          }}
        />
      )}
      {hasNoted && (
        <FindingNotesDialog
          finding={noted === undefined ? undefined : { ...noted, machineId }}
          name={noted === undefined ? '' : recordName(noted)}
          onClose={() => setNoted(undefined)}
        />
      )}
    </div>
  );
}
