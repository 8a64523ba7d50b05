/** Finds the fields with facts that people need before they install: the build, the size and the restart. */
import type { FieldKind } from '../definition/field-kinds.ts';
import type { Field } from '../definition/fields.ts';
import type { ListDefinition } from '../definition/list-definition.ts';

/** Names of fields or facts; absent when the list has none. */
export interface InstallFields {
  readonly build?: string;
  readonly size?: string;
  readonly restart?: string;
  readonly download?: string;
}

/** Derives the fields from names that the lists share, so that a new list needs no further code. */
export function findInstallFields(list: ListDefinition): InstallFields {
  const fields: Readonly<Record<string, Field<FieldKind, unknown>>> = {
    ...list.fields,
    ...list.detail.facts,
  };
  const first = (...names: readonly string[]) => names.find((name) => Object.hasOwn(fields, name));
  const found = {
    build: first('fixedBuild', 'build'),
    size: Object.keys(fields).find((name) => fields[name]?.kind === 'size'),
    restart: first('restartBehaviour'),
    download: first('downloadUrl'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, name]) => name !== undefined));
}
