/** Loads reports from the field, which are inputs beside the repository. */
import { readFileSync } from 'node:fs';
import { describeWithShared, sharedFolder } from '../../testing/shared-folder.ts';
import { inventoryText } from '../inventory/inventory-text.ts';

const folder = sharedFolder('field-cases');

export const describeWithFieldCases = describeWithShared('field-cases');

export const fieldCase = (file: string): string =>
  inventoryText(readFileSync(new URL(file, folder)));
