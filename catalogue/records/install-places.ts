/** Where the records of a list say what people ask before they install: the build, the size and the restart. */
import type { FieldKind } from '../definition/field-kinds.ts';
import type { Field } from '../definition/fields.ts';
import type { ListDefinition } from '../definition/list-definition.ts';

/** Names of fields or facts; absent where the list has none such. */
export interface InstallPlaces {
  readonly build?: string;
  readonly size?: string;
  readonly restart?: string;
  readonly download?: string;
}

/** Told from the names that the lists share, so that a new list needs nothing else. */
export function installPlaces(list: ListDefinition): InstallPlaces {
  const fields: Readonly<Record<string, Field<FieldKind, unknown>>> = {
    ...list.fields,
    ...list.detail.facts,
  };
  const first = (...names: readonly string[]) => names.find((name) => Object.hasOwn(fields, name));
  const places = {
    build: first('fixedBuild', 'build'),
    size: Object.keys(fields).find((name) => fields[name]?.kind === 'size'),
    restart: first('restartBehaviour'),
    download: first('downloadUrl'),
  };
  return Object.fromEntries(Object.entries(places).filter(([, name]) => name !== undefined));
}
