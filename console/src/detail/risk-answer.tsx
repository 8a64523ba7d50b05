/** Risk of a record: exploited CVEs and highest scores. */
import { WarningFilled } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import { Link } from '@tanstack/react-router';
import { CountedLink } from '../summary/counted-link.tsx';
import { percentText } from '../values/share-text.ts';
import { buildCvesOfRecord } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatCount } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { identifierPath } from '../widgets/list-paths.ts';
import { Answer } from './answer.tsx';
import { getMapping, getVendor, readCves } from './record-cves.ts';
import { useCveRisks } from './use-cve-risks.ts';

const maxShownCves = 3;

interface RiskAnswerProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

export function RiskAnswer({ list, record }: RiskAnswerProps) {
  const { cves } = readCves(list, record);
  const { data } = useCveRisks(list, record.id, cves);
  const exploited = (data?.rows ?? []).filter(
    ({ exploitedSince }) => typeof exploitedSince === 'number',
  );
  return (
    <Answer label={list.countedBy === undefined ? 'Risk' : 'Risk of this record'}>
      <span className="inline-flex flex-wrap items-center gap-x-3">
        <Exploited list={list} record={record} cves={cves} exploited={exploited} />
        {cves.length > 0 && (
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <Score label="Highest CVSS" value={findHighest('cvss', record, data?.rows)} />
            <Score label="Highest EPSS" value={findHighest('epss', record, data?.rows)} isShare />
            <span>
              <FigureLink
                figure={buildCvesOfRecord(cves.length, list.key, record.id)}
                counts={['CVE of this record', 'CVEs of this record']}
              >
                {formatCount(cves.length, ['CVE', 'CVEs'])}
              </FigureLink>
            </span>
          </span>
        )}
      </span>
    </Answer>
  );
}

interface ExploitedProps extends RiskAnswerProps {
  readonly cves: readonly string[];
  readonly exploited: readonly WireRow[];
}

function Exploited({ list, record, cves, exploited }: ExploitedProps) {
  if (record['exploited'] === true || exploited.length > 0)
    return (
      <span className="inline-flex flex-wrap items-center gap-x-2 text-danger font-600">
        <Icon of={WarningFilled} /> Known exploited
        {exploited.length === 0
          ? `, says ${getVendor(list, record)}`
          : exploited.slice(0, maxShownCves).map(({ id, cve }) => (
              <Link key={id} to={identifierPath(String(cve))} className="font-400 mono">
                {String(cve)}
              </Link>
            ))}
        {exploited.length > maxShownCves && (
          <span>
            <CountedLink
              figure={buildCvesOfRecord(0, list.key, record.id, [
                { paramName: 'exploitedSince', operator: 'is_not_null' },
              ])}
              counts={[
                'CVE of this record is known exploited',
                'CVEs of this record are known exploited',
              ]}
              format={(count) => formatCount(count, ['CVE', 'CVEs'])}
            />
          </span>
        )}
      </span>
    );
  if (cves.length === 0)
    return (
      <span className="text-quiet">
        No CVE known
        {getMapping(list).cve === null && `: the source of ${list.label} does not list CVEs`}
      </span>
    );
  // An empty value means unknown: CISA's catalogue may never have been read.
  return record['exploited'] === false ? (
    <span>Not known to be exploited</span>
  ) : (
    <span className="text-quiet">Nothing known about exploitation</span>
  );
}

interface ScoreProps {
  readonly label: string;
  readonly value: number | null;
  readonly isShare?: boolean;
}

function Score({ label, value, isShare = false }: ScoreProps) {
  return (
    <span>
      {label}{' '}
      {value === null ? (
        <span className="text-quiet">not scored</span>
      ) : (
        <strong className="figures">{isShare ? percentText(value) : value}</strong>
      )}
    </span>
  );
}

/** Returns the record's own score, which covers all its CVEs, else the highest of the loaded rows. */
function findHighest(
  name: 'cvss' | 'epss',
  record: WireDetail,
  rows: readonly WireRow[] | undefined,
): number | null {
  const own = record[name];
  if (typeof own === 'number') return own;
  const scores = (rows ?? []).map((row) => row[name]).filter((score) => typeof score === 'number');
  return scores.length === 0 ? null : Math.max(...scores);
}
