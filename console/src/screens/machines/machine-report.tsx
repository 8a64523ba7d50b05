/** A machine's verdict on one page of paper. Printing the screen prints this alone. */

import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  comparedText,
  installText,
  scopeTexts,
  sourceSentences,
  verdictSentence,
} from '@patch/contract/fleet/assessment-words.ts';
import { bandLabels } from '@patch/contract/fleet/missing-bands.ts';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './machine-report.module.css';
import { describeCounts, getMachineName } from './machine-verdict.tsx';

/** Rows that fit on the page beside the summary. */
const maxRows = 16;

export function MachineReport({ answer }: { readonly answer: Assessment }) {
  const { machine, missing, bands, install } = answer;
  const rest = missing.length - maxRows;
  const limits = [...scopeTexts(answer), ...answer.advice.map(({ text }) => text)];
  return (
    <article className={styles['report']}>
      <h1>{verdictSentence(answer)}</h1>
      <p>
        {getMachineName(machine)} · {comparedText(answer)}
      </p>
      <p>{sourceSentences(answer).join('. ')}.</p>
      {missing.length > 0 && <p>{describeCounts(answer.counts)}</p>}
      {install.length > 0 && <p>{installText(bands, install.length)}.</p>}
      {limits.length > 0 && (
        <ul>
          {limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      )}
      {bands.length > 0 && (
        <ul>
          {bands.map(({ band, ...summary }) => (
            <li key={band}>
              {bandLabels[band]}: {formatNumber(summary.missing)}
              {summary.install.length > 0 && `, ${installText([summary], summary.install.length)}`}
            </li>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <table>
          <ColumnHeads of={['Record', 'Severity', 'Installed → fixed']} />
          <tbody>
            {missing.slice(0, maxRows).map(({ list, recordId, identifier, title, ...record }) => (
              <tr key={`${list} ${recordId}`}>
                <td>
                  {identifier} {title}
                </td>
                <td>
                  {record.severity ?? 'Unspecified'}
                  {record.exploited === true && ', exploited'}
                </td>
                <td>{describeEvidence(record.evidence)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rest > 0 && <p>{formatNumber(rest)} more in the CSV file.</p>}
    </article>
  );
}

function describeEvidence([first, ...others]: Assessment['missing'][number]['evidence']): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : ` and ${formatNumber(others.length)} more`;
  return `${first.name} ${first.installed ?? ''} → ${first.fixed ?? ''}${more}`;
}
