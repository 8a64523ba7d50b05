/** Converts a month of the security update guide from a field case's JSON to the XML that the feed reads. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { createGuideMonth } from '../../vendors/windows/testing/guide-month.ts';
import { fieldCase } from './field-case.ts';

const Value = z.object({ Value: z.string() });
const Month = z.object({
  DocumentTracking: z.object({
    Identification: z.object({ ID: Value }),
    InitialReleaseDate: z.string(),
  }),
  ProductTree: z.object({
    FullProductName: z.array(z.object({ ProductID: z.string(), Value: z.string() })),
  }),
  Vulnerability: z.array(
    z.object({
      CVE: z.string(),
      Remediations: z.array(
        z.object({
          Description: Value,
          ProductID: z.array(z.string()),
          Supercedence: z.string().optional(),
          SubType: z.string().optional(),
          FixedBuild: z.string().optional(),
        }),
      ),
    }),
  ),
});

export function fieldMonth(file: string): Document {
  const { DocumentTracking, ProductTree, Vulnerability } = Month.parse(JSON.parse(fieldCase(file)));
  return createGuideMonth({
    id: DocumentTracking.Identification.ID.Value,
    date: DocumentTracking.InitialReleaseDate,
    products: Object.fromEntries(
      ProductTree.FullProductName.map(({ ProductID, Value: name }) => [ProductID, name]),
    ),
    fixes: Vulnerability.flatMap(({ CVE, Remediations }) =>
      Remediations.map(({ Description, ProductID, Supercedence, SubType, FixedBuild }) => ({
        kb: Description.Value,
        products: ProductID,
        cve: CVE,
        ...(Supercedence !== undefined && Supercedence !== '' && { supersedes: Supercedence }),
        ...(SubType !== undefined && { type: SubType }),
        ...(FixedBuild !== undefined && { build: FixedBuild }),
      })),
    ),
  });
}
