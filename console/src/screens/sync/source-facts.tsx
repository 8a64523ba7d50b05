/** The facts in a source's row: its lists, the result and time of its last run, and its next run. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run, SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { ReleaseFacts } from '../../releases/release-facts.tsx';
import { isStripDrawn, ReleaseStrip, StripAxis } from '../../releases/release-strip.tsx';
import { describeInitiator, toShownState } from '../../runs/run-text.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { listPath } from '../../widgets/list-paths.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { durationText } from '../../widgets/time-text.ts';
import { isMirrorFailure, MirrorTestButton } from './mirror-test.tsx';
import styles from './source-row.module.css';

export function ListLinks({ state: { lists } }: { readonly state: SourceState }) {
  return (
    <ul className="flex flex-wrap gap-x-3 plain-list text-small">
      {lists.map(({ key, label, rows }) => {
        const route = findListRoute(key);
        const text = (
          <>
            {label} <span className="text-quiet figures">{formatNumber(rows)}</span>
          </>
        );
        return (
          <li key={key}>
            {route === undefined ? text : <Link to={listPath({ route })}>{text}</Link>}
          </li>
        );
      })}
    </ul>
  );
}

const noteClass = 'text-quiet text-small break-anywhere';

/** Shows why a run failed and what to do. Warnings and the vendor's rhythm unfold. */
export function StateNote({
  state,
  mayAct,
}: {
  readonly state: SourceState;
  readonly mayAct: boolean;
}) {
  const { run, source, label } = state;
  const shown = toShownState(state);
  if (shown === 'unavailable')
    return (
      <p className={noteClass}>
        This version cannot read this vendor's publication. Its lists stay empty.
      </p>
    );
  if (shown === 'disabled')
    return <p className={noteClass}>Disabled in its settings. Its records stay.</p>;
  if (run === null || shown === 'running' || shown === 'queued') return null;
  const failed = run.state === 'failed' || run.state === 'interrupted';
  const warnings = run.warnings
    .filter((warning) => !isInQuarantine(warning, state))
    .map(runMessageText);
  return (
    <>
      {run.message === null || !failed ? null : (
        <p className="text-small break-anywhere">{runMessageText(run.message)}</p>
      )}
      {mayAct && failed && isMirrorFailure(run.message) ? (
        <MirrorTestButton source={source} label={label} />
      ) : null}
      <details>
        <summary
          className={`${styles['more']} ${warnings.length > 0 ? 'text-warning' : 'text-quiet'} text-small cursor-pointer`}
        >
          {describeWarnings(warnings.length)}
        </summary>
        {run.message === null || failed ? null : (
          <p className={noteClass}>{runMessageText(run.message)}</p>
        )}
        {warnings.map((warning) => (
          <p key={warning} className="text-warning text-small break-anywhere">
            {warning}
          </p>
        ))}
        {state.scheduleWords === null ? null : (
          <p className={noteClass}>Schedule: {state.scheduleWords}</p>
        )}
        <ReleaseFacts state={state} />
        <ReleaseStrip state={state} />
        {isStripDrawn(state) ? <StripAxis /> : null}
      </details>
    </>
  );
}

const describeWarnings = (count: number): string =>
  count === 0 ? 'Details' : `${formatNumber(count)} ${count === 1 ? 'warning' : 'warnings'}`;

const reasonsByCode: Readonly<Partial<Record<RunMessage['code'], QuarantineEntry['reason']>>> = {
  withdrawals_held: 'records_missing',
  content_held: 'content_lost',
};

/** The panel below the facts describes the quarantine in more detail than the warning. */
function isInQuarantine({ code, params }: RunMessage, { quarantine }: SourceState): boolean {
  return quarantine.some(
    ({ reason, part, list }) =>
      reason === reasonsByCode[code] &&
      'list' in params &&
      part === params.part &&
      list === params.list,
  );
}

export function LastRun({ state: { run, lastSuccessAt } }: { readonly state: SourceState }) {
  const at = run?.endedAt ?? run?.startedAt ?? null;
  const succeeded = run !== null && run.endedAt !== null && run.endedAt === lastSuccessAt;
  const verb = succeeded ? 'Synced' : run?.endedAt === null ? 'Started' : 'Tried';
  return (
    <div className={`${styles['fact']} min-w-0`} data-label="Last run">
      {at === null ? null : (
        <p>
          {verb} <TimeAgo value={at} />
        </p>
      )}
      {run === null ? null : <p className="text-quiet text-small">{describeRun(run)}</p>}
      {succeeded ? null : (
        <p className="text-quiet text-small">
          {lastSuccessAt === null ? (
            // The state of an untouched source says the same.
            run === null ? (
              '–'
            ) : (
              'No success yet'
            )
          ) : (
            <>
              Last success <TimeAgo value={lastSuccessAt} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Returns for example '2 m 5 s, by schedule'. */
function describeRun(run: Run): string {
  const { startedAt, endedAt } = run;
  const by = describeInitiator(run);
  return startedAt === null || endedAt === null
    ? by
    : `${durationText(endedAt - startedAt)}, ${by}`;
}

export function NextRun({
  state: { enabled, scheduleWords, nextRunAt },
}: {
  readonly state: SourceState;
}) {
  return (
    <div className={`${styles['fact']} min-w-0`} data-label="Next run">
      {nextRunAt === null ? (
        <p className="text-quiet text-small">{enabled ? 'Manual only' : 'None while disabled'}</p>
      ) : (
        <p data-tip={scheduleWords ?? undefined}>
          <TimeAgo value={nextRunAt} />
          {scheduleWords === null ? null : <span className="visually-hidden">{scheduleWords}</span>}
        </p>
      )}
    </div>
  );
}

/** Returns the path of a list, or undefined for a list that this console does not know. */
function findListRoute(key: string): string | undefined {
  return catalogueLists.find((list) => list.key === key)?.route;
}
