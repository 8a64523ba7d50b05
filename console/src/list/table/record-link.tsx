/** Link with the identity of a row. A plain click opens the drawer; a middle click opens the record's page in a tab. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { Link } from '@tanstack/react-router';
import { BreakableName } from '../../values/breakable-name.tsx';
import { CopyName } from '../../values/names.tsx';
import { buildTextTip, ShortenedText } from '../../values/shortened-text.tsx';
import { isEmptyValue } from '../../values/value-view.tsx';
import values from '../../values/values.module.css';
import { recordPath } from '../../widgets/list-paths.ts';
import { findRecordElsewhere } from './record-elsewhere.ts';

interface RecordLinkProps {
  readonly list: ListDefinition;
  readonly row: WireRow;
  readonly field: Field<FieldKind, unknown>;
  readonly name: string;
  /** Visible part of a shortened title; undefined shows all of it. */
  readonly shown?: string | undefined;
}

export function RecordLink({ list, row, field, name, shown }: RecordLinkProps) {
  const value = row[name];
  const words = isEmptyValue(value)
    ? `Record ${row.id}`
    : Array.isArray(value)
      ? value.join(', ')
      : String(value);
  const label = uuid.test(words) ? findLabel(list, row, name) : null;
  const mono = label === null && ['identifier', 'identifiers'].includes(field.kind);
  return (
    <span className={values['name']}>
      <Link
        to={findRecordElsewhere(list, row) ?? recordPath(list, row.id)}
        preload={false}
        tabIndex={-1}
        className={mono ? `${values['lines']} mono` : values['lines']}
        {...(label === null ? buildTextTip(words, shown) : { 'data-tip': words })}
        // The row opens the drawer; the browser handles clicks with modifier keys.
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
            event.stopPropagation();
          else event.preventDefault();
        }}
      >
        {mono ? (
          <BreakableName name={words} />
        ) : (
          <ShortenedText value={label ?? words} shown={shown} />
        )}
      </Link>
      {mono && !isEmptyValue(value) && <CopyName field={field} value={words} />}
    </span>
  );
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns another name of a record that is identified by a UUID; null when it has none. */
function findLabel(list: ListDefinition, row: WireRow, name: string): string | null {
  const other = list.identity.find((field) => field !== name && !isEmptyValue(row[field]));
  return other === undefined ? null : String(row[other]);
}
