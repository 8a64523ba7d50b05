/**
 * What a vendor could publish next: one record added, one changed and one gone, made of its fixtures in its own form. Where it never
 * takes a record away, none is gone.
 */
import type { RunChange } from '@patch/contract/sync-calls.ts';
import type { Documents, VendorStage } from './vendor-stage.ts';

export interface NewerPublication {
  readonly documents: Documents;
  /** What becomes of which record, by list and natural key; all others stay as they are. */
  readonly changes: Readonly<Record<string, Pick<RunChange, 'kind' | 'fields'>>>;
}

export const added = { kind: 'added', fields: {} } as const;
export const withdrawn = { kind: 'withdrawn', fields: {} } as const;

export function changed(fields: Readonly<Record<string, readonly [was: unknown, is: unknown]>>) {
  return { kind: 'changed' as const, fields: Object.fromEntries(Object.entries(fields).map(([name, [was, is]]) => [name, { was, is }])) };
}

export async function textOf(stage: VendorStage, path: string): Promise<string> {
  return (await stage.document(path)).toString();
}

/** Everywhere; it has to be there. */
export function replaced(text: string, was: string, is: string): string {
  if (was === '' || !text.includes(was)) throw new Error(`There is no ${was || 'such text'} in the fixture`);
  return text.replaceAll(was, is);
}
