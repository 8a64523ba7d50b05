/** The result of a machine check: limits of the judgement first, then what to install, then every missing record with its evidence. */
import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import {
  comparedText,
  headline,
  leftOutText,
  notJudgedText,
  sourceSentence,
  sourceSentences,
} from '@patch/contract/assessment-words.ts';
import { Link } from '@tanstack/react-router';
import { dayDate } from '../../values/day-date.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { identifierPath, recordPath } from '../../widgets/list-paths.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './check-machine-screen.module.css';
import { describeCounts, describeRestart, getMachineName } from './machine-words.ts';
import { MissingTable } from './missing-table.tsx';

export function MachineAnswer({ answer }: { readonly answer: Assessment }) {
  const { machine, install, missing, noFix } = answer;
  return (
    <div className={styles['answer']}>
      <section aria-label="Result" aria-live="polite" className={styles['part']}>
        <Sources answer={answer} />
        <p className={styles['machine']}>
          {getMachineName(machine)} · {comparedText(answer)}
        </p>
        {machine.endOfLife !== null && <SupportEnded day={machine.endOfLife} />}
        <h2>{headline(answer)}</h2>
        {missing.length > 0 && <p className={styles['counts']}>{describeCounts(answer.counts)}</p>}
        <Warnings answer={answer} />
      </section>
      {install.length > 0 && <ToInstall answer={answer} />}
      {missing.length > 0 && (
        <section aria-label="Missing records" className={styles['part']}>
          <h2>Missing records</h2>
          <MissingTable missing={missing} />
        </section>
      )}
      {noFix.length > 0 && <WithoutFix noFix={noFix} />}
      <ReadingDetails answer={answer} />
    </div>
  );
}

/** The date of the data is shown first, because the result is as old as its data. */
function Sources({ answer }: { readonly answer: Assessment }) {
  const { sources } = answer;
  const look = (isConcern: boolean) => (isConcern ? styles['stale'] : styles['quiet']);
  if (sources.length === 0)
    return <p className={look(true)}>{sourceSentences(answer).join('. ')}.</p>;
  return sources.map((source) => (
    <p key={source.service} className={look(source.concern !== null)}>
      {sourceSentence(source)}.
    </p>
  ));
}

/** Shown before everything else: after the end of support, missing records are only a part of the risk. */
function SupportEnded({ day }: { readonly day: number }) {
  return (
    <p className={styles['ended']}>
      The vendor ended its support on {dayDate(day, 'UTC')}. Fixes since then need an extended
      contract, or do not exist.
    </p>
  );
}

/** Everything that makes the result incomplete. */
function Warnings({ answer }: { readonly answer: Assessment }) {
  const { machine, notJudged, leftOut, advice } = answer;
  const rows = [
    ...(machine.rebootPending === true
      ? ['A newer kernel is installed than the one running. Reboot to use it.']
      : []),
    ...notJudged.map(notJudgedText),
    ...leftOut.map(leftOutText),
  ];
  if (rows.length + advice.length === 0) return null;
  // One command can supply several missing facts. It is shown once, at the last of them.
  const isLastWithCommand = (command: string, index: number) =>
    advice.findLastIndex((entry) => entry.command === command) === index;
  return (
    <ul className={styles['warnings']}>
      {rows.map((row) => (
        <li key={row}>{row}</li>
      ))}
      {advice.map(({ kind, text, command }, index) => (
        <li key={kind}>
          {text}
          {command !== null && isLastWithCommand(command, index) && (
            <span className={styles['command']}>
              <code>{command}</code>
              <CopyButton text={command} what="command" />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function ToInstall({ answer: { install, installCommand } }: { readonly answer: Assessment }) {
  return (
    <section aria-label="What to install" className={styles['part']}>
      <h2>
        What to install: {formatNumber(install.length)}{' '}
        {install.length === 1 ? 'record' : 'records'}
      </h2>
      {installCommand !== null && (
        <p className={styles['command']}>
          <code>{installCommand}</code>
          <CopyButton text={installCommand} what="command for all" />
        </p>
      )}
      <ul className={styles['install']}>
        {install.map(({ list, recordId, identifier, command, restart }) => (
          <li key={`${list} ${recordId}`}>
            <Link to={recordPath(getList(list as never), recordId)}>{identifier}</Link>
            {restart !== null && (
              <span className={styles['quiet']}> · {describeRestart(restart)}</span>
            )}
            {command !== null && command !== installCommand && (
              <CopyButton text={command} what={`command for ${identifier}`} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Vulnerabilities without a fix by package. Nothing can be installed against them. */
function WithoutFix({ noFix }: Pick<Assessment, 'noFix'>) {
  const packages = [...Map.groupBy(noFix, (vulnerability) => vulnerability.package)];
  return (
    <details className={styles['part']}>
      <summary>
        No fix published: {formatNumber(noFix.length)}{' '}
        {noFix.length === 1 ? 'vulnerability' : 'vulnerabilities'} in{' '}
        {formatNumber(packages.length)} {packages.length === 1 ? 'package' : 'packages'}
      </summary>
      <ul>
        {packages.map(([name, known]) => (
          <li key={name}>
            {name}:{' '}
            {known.map(({ cve }, index) => (
              <span key={cve}>
                {index > 0 && ', '}
                <Link to={identifierPath(cve)}>{cve}</Link>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** How the text was read, and the last sync of the sources. */
function ReadingDetails({ answer }: { readonly answer: Assessment }) {
  const { understood, unreadable, unreadableLines, sources } = answer;
  return (
    <details className={styles['part']}>
      <summary>
        How this was read:{' '}
        {understood
          .map(({ format, lines }) => `${format} (${formatNumber(lines)} lines)`)
          .join(', ') || 'nothing was recognised'}
        {unreadableLines > 0 && `, ${formatNumber(unreadableLines)} lines not read`}
      </summary>
      {unreadable.length > 0 && (
        <ul className={styles['unread']}>
          {unreadable.map(({ line, text, reason }) => (
            <li key={line}>
              Line {formatNumber(line)}: <code>{text}</code> {reason}.
            </li>
          ))}
        </ul>
      )}
      <ul>
        {sources.map(({ service, label, lastSuccessAt }) => (
          <li key={service}>
            {label}:{' '}
            {lastSuccessAt === null ? (
              'never synced'
            ) : (
              <>
                synced <TimeAgo value={lastSuccessAt} />
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
