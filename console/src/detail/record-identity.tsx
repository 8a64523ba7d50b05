/** Identity of a record: name, severity, date, and the link to the vendor. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  identityField,
  recordName,
  severityField,
  titleField,
} from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireValue } from '@patch/contract/base/row-schema.ts';
import type { ReactNode } from 'react';
import { Fact } from '../values/fact-of-kind.tsx';
import { OutArrow } from '../values/out-arrow.tsx';
import { safeAddress, vendorPage } from '../values/safe-address.ts';
import { isEmptyValue, labelFor } from '../values/value-view.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { RatedSeverity } from './rated-severity.tsx';
import styles from './record-identity.module.css';

/** Reads a field with a single value. */
const readText = (record: WireDetail, name: string): string => String(record[name] ?? '');

/** Returns the first identity field with a value, and what people call the record: its number if nothing names it. */
export function readIdentity(
  list: ListDefinition,
  record: WireDetail,
): { readonly name: string | undefined; readonly words: string } {
  const name = identityField(list, record);
  return { name, words: recordName(list, record) ?? `Record ${record.id}` };
}

const findFieldOfKind = (list: ListDefinition, wanted: FieldKind) =>
  Object.keys(list.fields).find((name) => {
    const { kind, stamped } = getField(list, name);
    return stamped === undefined && kind === wanted;
  });

/** The address of the record at its vendor, and the field that states it. */
interface VendorLink {
  readonly address: string;
  readonly field: string | undefined;
}

/** Returns the vendor's page of the name, else the first link among the facts. */
function findVendorLink(list: ListDefinition, record: WireDetail): VendorLink | undefined {
  const { name, words } = readIdentity(list, record);
  const page = name === undefined ? undefined : vendorPage(getField(list, name), words);
  const links = Object.entries({ ...list.fields, ...list.detail.facts }).flatMap(
    ([field, { kind }]) => {
      const address = kind === 'link' ? safeAddress(readText(record, field)) : undefined;
      return address === undefined ? [] : [{ address, field }];
    },
  );
  if (page === undefined) return links[0];
  return links.find(({ address }) => address === page) ?? { address: page, field: undefined };
}

/** Returns the fields that the heading shows beside the name and the title. */
export const findHeadingFields = (list: ListDefinition, record: WireDetail) => ({
  choice: severityField(list) ?? findFieldOfKind(list, 'choice'),
  date: findFieldOfKind(list, 'date'),
  link: findVendorLink(list, record)?.field,
});

interface RecordIdentityProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** The `h1` of a page receives the focus when the page changes. */
  readonly heading: { readonly Tag: 'h1' | 'h2'; readonly id?: string };
  /** Shown beside the link to the vendor. */
  readonly actions?: ReactNode;
}

export function RecordIdentity({
  list,
  record,
  heading: { Tag, id },
  actions,
}: RecordIdentityProps) {
  const { name, words } = readIdentity(list, record);
  const mono = name !== undefined && getField(list, name).kind === 'identifier';
  const { choice, date } = findHeadingFields(list, record);
  const released = date === undefined ? undefined : record[date];
  const address = findVendorLink(list, record)?.address;
  const subtitle = titleField(list, record);
  return (
    <div className="grid gap-1 min-w-0">
      <div className={`${styles['line']} flex flex-wrap items-center gap-y-1 gap-x-3 text-dense`}>
        <Tag
          id={id}
          tabIndex={-1}
          className={`${styles['title']} font-600 break-anywhere ${mono ? 'mono' : ''}`}
        >
          {words}
        </Tag>
        <CopyButton text={words} what={name === undefined ? 'name' : getField(list, name).label} />
      </div>
      {subtitle !== undefined && (
        <p className="font-400 break-anywhere">
          {labelFor(getField(list, subtitle), readText(record, subtitle))}
        </p>
      )}
      <div className={`${styles['line']} flex flex-wrap items-center gap-y-1 gap-x-3 text-dense`}>
        <RatedSeverity list={list} record={record} />
        {choice !== undefined && !isEmptyValue(record[choice]) && (
          <Fact field={getField(list, choice)} value={record[choice] as WireValue} />
        )}
        {date !== undefined && typeof released === 'number' && (
          <span className="text-quiet">
            {getField(list, date).label} <Fact field={getField(list, date)} value={released} />
          </span>
        )}
        <span className="flex flex-wrap items-center gap-y-1 gap-x-4 ml-auto text-dense">
          {address !== undefined && (
            <a href={address} target="_blank" rel="noopener noreferrer">
              Open at the vendor <OutArrow />
            </a>
          )}
          {actions}
        </span>
      </div>
    </div>
  );
}
