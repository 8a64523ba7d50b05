/** Exceptions that end soon, and sources whose data nobody can rely on. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { exceptionKindWords } from '@patch/contract/fleet/exception-kinds.ts';
import { scopeWords } from '@patch/contract/fleet/exception-scope-words.ts';
import { endingDays, type GroupReport } from '@patch/contract/reports/group-report-endpoint.ts';
import { noSourceWords, unreliableWords } from '@patch/contract/reports/report-words.ts';
import { Link } from '@tanstack/react-router';
import { recordName } from '../../fleet/exception-words.ts';
import { formatCount, formatNumber } from '../../widgets/format-number.ts';
import { exceptionsPath, recordPath, syncPath } from '../../widgets/list-paths.ts';
import styles from './report.module.css';

export function EndingExceptions({ report }: { readonly report: GroupReport }) {
  const { exceptions, exceptionCount } = report;
  const remaining = exceptionCount - exceptions.length;
  return (
    <section className={styles['card']}>
      <h2>Exceptions that end within {endingDays} days</h2>
      {exceptionCount === 0 ? (
        <p>None.</p>
      ) : (
        <ul className={styles['lines']}>
          {exceptions.map((exception) => {
            const { exceptionId, list, recordId, until } = exception;
            return (
              <li key={exceptionId}>
                <Link to={recordPath(getList(list as ListKey), recordId)}>
                  {recordName(exception)}
                </Link>{' '}
                {scopeWords(exception)}: {exceptionKindWords[exception.kind].toLowerCase()}, ends{' '}
                {new Date(until ?? 0).toISOString().slice(0, 10)}. {exception.reason} (
                {exception.by})
              </li>
            );
          })}
        </ul>
      )}
      {remaining > 0 && (
        <p>
          <Link
            to={exceptionsPath}
            search={{ endsWithin: endingDays, group: report.group?.name } as never}
          >
            And {formatNumber(remaining)} more
          </Link>
        </p>
      )}
    </section>
  );
}

export function SilentSources({ report }: { readonly report: GroupReport }) {
  const { sources, followedSources } = report;
  return (
    <section className={styles['card']}>
      <h2>Sources that are not up to date</h2>
      {sources.length === 0 ? (
        <p>
          {followedSources === 0
            ? noSourceWords
            : `None of ${formatCount(followedSources, ['source', 'sources'])}.`}
        </p>
      ) : (
        <ul className={styles['lines']}>
          {sources.map(({ source, label, words }) => (
            <li key={source}>
              <Link to={syncPath} search={{ source } as never}>
                {label}
              </Link>
              : {words}
            </li>
          ))}
        </ul>
      )}
      {sources.length > 0 && <p className={styles['warning']}>{unreliableWords}</p>}
    </section>
  );
}
