/** Risk of the whole update that a record is a part of, as All patches and the dashboard show it. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { Answer } from './answer.tsx';
import { ScrollButton } from './scroll-button.tsx';
import { buildSectionId } from './section-id.ts';
import { useUpdate } from './use-update.ts';

interface UpdateAnswerProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

/** Renders nothing for a record that is an update by itself. */
export function UpdateAnswer({ list, record }: UpdateAnswerProps) {
  const { data } = useUpdate(list, record);
  if (data === undefined || data === null || data.recordCount < 2) return null;
  const { whole, recordCount } = data;
  const cves = Array.isArray(whole['cve']) ? whole['cve'].length : 0;
  return (
    <Answer label="Whole update">
      {whole['exploited'] === true && 'Known exploited, '}
      {typeof whole['cvss'] === 'number' && `Highest CVSS ${whole['cvss']}, `}
      {cves === 1 ? '1 CVE' : `${formatNumber(cves)} CVEs`} over{' '}
      <ScrollButton to={buildSectionId(record.id, 'update')}>
        {formatNumber(recordCount)} records
      </ScrollButton>
    </Answer>
  );
}
