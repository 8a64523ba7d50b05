/** Menu that exports a record in the formats that it has. */
import { DownloadOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { csafFileName } from '@patch/catalogue/formats/csaf-file-name.ts';
import { advisoryIdentifier } from '@patch/catalogue/formats/csaf-lists.ts';
import { osvId } from '@patch/catalogue/formats/osv-id.ts';
import { osvLists } from '@patch/catalogue/formats/osv-lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { csafAdvisoryEndpoint } from '@patch/contract/formats/csaf-endpoints.ts';
import { osvRecordEndpoint } from '@patch/contract/formats/osv-endpoints.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { saveJson } from '../api/save-json.ts';
import { Icon } from '../widgets/icon.tsx';
import { Menu } from '../widgets/menu.tsx';
import { readIdentity } from './record-identity.tsx';

interface RecordExportProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

export function RecordExport({ list, record }: RecordExportProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ fetch, fileName }: RecordDocument) => saveJson(await fetch(), fileName),
  });
  return (
    <Menu
      look="quiet"
      small
      loading={isPending}
      icon={<Icon of={DownloadOutlined} />}
      heading="Export as"
      entries={listDocuments(list, record).map((document) => ({
        key: document.key,
        label: document.label,
        onChoose: () => mutate(document),
      }))}
    >
      Export
    </Menu>
  );
}

/** The formats that a record can be exported in, each with the call that returns its document. */
interface RecordDocument {
  readonly key: 'osv' | 'csaf' | 'json';
  readonly label: string;
  /** Without colons, which Windows does not accept: `alsa-2024_1.osv.json`. */
  readonly fileName: string;
  readonly fetch: () => Promise<unknown>;
}

/** Longer names are cut: records without an identifier are named by their title. */
const maxNameLength = 100;

function listDocuments(list: ListDefinition, record: WireDetail): readonly RecordDocument[] {
  const identifier = advisoryIdentifier(list, record);
  const { words } = readIdentity(list, record);
  const base = csafFileName(identifier ?? words)
    .slice(0, -'.json'.length)
    .slice(0, maxNameLength);
  const json: RecordDocument = {
    key: 'json',
    label: 'JSON, this record',
    fileName: `${base}.json`,
    fetch: () => callApi(detailEndpoint(list), { params: { id: String(record.id) } }),
  };
  if (identifier === null) return [json];
  const csaf: RecordDocument = {
    key: 'csaf',
    label: 'CSAF 2.1, the advisory',
    fileName: `${base}.csaf.json`,
    fetch: () => callApi(csafAdvisoryEndpoint, { params: { id: identifier } }),
  };
  if (!osvLists.includes(list)) return [csaf, json];
  const osv: RecordDocument = {
    key: 'osv',
    label: 'OSV, the advisory',
    fileName: `${base}.osv.json`,
    fetch: () => callApi(osvRecordEndpoint, { params: { id: osvId(identifier) } }),
  };
  return [osv, csaf, json];
}
