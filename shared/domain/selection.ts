import * as z from 'zod';

/** A value of the row key: one value, or one per key column in the declared order. 64-bit integers may be strings. */
const KeyPart = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const RowKey = z.union([KeyPart, z.array(KeyPart)]);
export type RowKey = z.infer<typeof RowKey>;

export const RowId = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)]);
export type RowId = z.infer<typeof RowId>;

/** A set of rows on one ref: row ids at the branch's head, key values, a predicate, or everything. */
export const Selection = z.union([
  z.strictObject({ ids: z.array(RowId) }),
  z.strictObject({ keys: z.array(RowKey) }),
  z.strictObject({ where: z.string() }),
  z.strictObject({ all: z.literal(true) }),
]);
export type Selection = z.infer<typeof Selection>;
