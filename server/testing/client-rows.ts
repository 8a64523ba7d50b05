/** Writes licensed clients as rows of their list, for tests that read the list. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import type { NewRow } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { Database } from '../platform/database/database.ts';
import { raiseRevision } from '../platform/database/rows/list-revision-store.ts';
import { storedRow } from '../platform/database/rows/stored-row.ts';

const clients = getList('floto_user');

/** Expects sealed activation codes. */

export async function writeClientRows(
  database: Database,
  rows: readonly NewRow<Fields>[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const revision = await raiseRevision(tx, clients, rows.length);
    for (const [index, row] of rows.entries()) {
      const {
        activation_code: sealedCode,
        activation_code_folded: _,
        ...stored
      } = storedRow(clients, row, {});
      const values = {
        ...stored,
        sealed_code: sealedCode,
        key: `${index}`,
        created_time: 1,
        updated_time: 1,
        revision,
      };
      const names = Object.keys(values);
      await tx.query(
        `insert into licensed_client (${names.join(', ')}) values (${names.map((_name, at) => `$${at + 1}`).join(', ')})`,
        Object.values(values),
      );
    }
  });
}
