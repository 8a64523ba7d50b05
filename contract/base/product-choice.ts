/** The products that a person looks after: chosen by name, or those of the reported machines. Pages that can show less read it. */
import { z } from 'zod';

export const maxChosenProducts = 100;

export const ProductChoice = z.strictObject({
  from: z
    .enum(['chosen', 'machines'])
    .describe('machines: the releases of the reported machines, whatever is chosen'),
  products: z
    .array(z.string().min(1).max(200))
    .max(maxChosenProducts)
    .describe('Names as in the field release of All patches'),
});
export type ProductChoice = z.infer<typeof ProductChoice>;

/** The products of a choice, and the evidence. */
export const OwnProducts = z.object({
  from: ProductChoice.shape.from,
  names: z.array(z.string()).describe('Names as in the field release of All patches'),
  unmatched: z
    .array(z.string())
    .describe('Releases of machines, or chosen names, of which the catalogue has no record'),
  further: z.number().int().describe('Products beyond the limit, which are left out'),
});
export type OwnProducts = z.infer<typeof OwnProducts>;
