/** The result of a machine check: the verdict with its limits, the missing records by urgency, and how the text was read. */
import { type Assessment, missingBands } from '@patch/contract/fleet/assessment-endpoint.ts';
import { bandLabels, getMissingBand } from '@patch/contract/fleet/missing-bands.ts';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { formatNumber } from '../../widgets/format-number.ts';
import { identifierPath } from '../../widgets/list-paths.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './check-machine-screen.module.css';
import { MachineReport } from './machine-report.tsx';
import { MachineVerdict } from './machine-verdict.tsx';
import { MissingBandSection, MissingSection } from './missing-section.tsx';

interface MachineAnswerProps {
  readonly answer: Assessment;
  /** The text that was checked, for the file of missing records. */
  readonly inventory: string;
}

export function MachineAnswer({ answer, inventory }: MachineAnswerProps) {
  const { missing, noFix } = answer;
  const isPrinting = useIsPrinting();
  const [firstBand] = answer.bands;
  const groups = Map.groupBy(missing, getMissingBand);
  const unproven = groups.get(null) ?? [];
  return (
    <div className={`${styles['answer']} grid gap-3`}>
      <MachineVerdict answer={answer} inventory={inventory} />
      {missingBands.map((band) => {
        const summary = answer.bands.find((one) => one.band === band);
        return summary === undefined ? null : (
          <MissingBandSection
            key={band}
            label={bandLabels[band]}
            summary={summary}
            install={answer.install}
            missing={groups.get(band) ?? []}
            isOpen={summary === firstBand}
          />
        );
      })}
      {unproven.length > 0 && (
        <MissingSection
          label="Not certain, or with a subscription only"
          missing={unproven}
          isOpen={firstBand === undefined}
        />
      )}
      {noFix.length > 0 && <WithoutFix noFix={noFix} />}
      <ReadingDetails answer={answer} />
      {isPrinting && <MachineReport answer={answer} />}
    </div>
  );
}

/** Vulnerabilities without a fix by package. Nothing can be installed against them. */
function WithoutFix({ noFix }: Pick<Assessment, 'noFix'>) {
  const packages = [...Map.groupBy(noFix, (vulnerability) => vulnerability.package)];
  return (
    <details className={`${styles['part']} min-w-0 p-4 border rounded bg-surface`}>
      <summary className="cursor-pointer">
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
    <details className={`${styles['part']} min-w-0 p-4 border rounded bg-surface`}>
      <summary className="cursor-pointer">
        How this was read:{' '}
        {understood.map(({ format, lines }) => `${format} (${countLines(lines)})`).join(', ') ||
          'nothing was recognised'}
        {unreadableLines > 0 && `, ${countLines(unreadableLines)} not read`}
      </summary>
      {unreadable.length > 0 && (
        <ul className={`${styles['unread']} relative overflow-auto`}>
          {unreadable.map(({ line, text, reason }) => (
            <li key={line}>
              Line {formatNumber(line)}: <code className="text-dense break-anywhere">{text}</code>{' '}
              {reason}.
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

const countLines = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'line' : 'lines'}`;

/** Tells whether the browser is printing the page, by its menu or by a button. */
let isPrinting = false;

const setPrinting = (change: () => void) => (event: Event) => {
  isPrinting = event.type === 'beforeprint';
  change();
};

function subscribe(change: () => void): () => void {
  const listener = setPrinting(change);
  addEventListener('beforeprint', listener);
  addEventListener('afterprint', listener);
  return () => {
    isPrinting = false;
    removeEventListener('beforeprint', listener);
    removeEventListener('afterprint', listener);
  };
}

const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
