import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { toTextCondition } from './condition-meaning.ts';

const list = getList('almalinux_patch');
const { storage } = columnsOfField(list, 'title');
const definition = getField(list, 'title');
const equals = (values: readonly string[]) =>
  toTextCondition({ kind: 'oneOf', name: 'title', definition, values, negated: false }, storage);

test('leaves equal texts to PostgreSQL when one has several lines', () => {
  expect(equals(['kernel', 'kernel and modules'])?.patterns).toHaveLength(2);
  expect(equals(['kernel', 'kernel\nand modules'])).toBeNull();
});
