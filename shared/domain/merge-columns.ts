import { canCast } from './can-cast.ts';
import { type FieldPair, pairFields, type SchemaField } from './schema-diff.ts';

/** One column through the three refs, and what the merge makes of it. */
export interface ColumnPlan {
  base: SchemaField | null;
  from: SchemaField | null;
  into: SchemaField | null;
  /** Its name after the merge; `null` when the merged table does not have it. */
  name: string | null;
  /** What has to happen to `into`. */
  action: 'none' | 'add' | 'drop' | 'rename';
  /** The side whose type the column has after the merge, where the other side has another one; what that has is cast. */
  retypedBy: 'from' | 'into' | null;
  /**
   * What a person has to settle. `renamed`: to different names; `dropped-by-from`, `dropped-by-into`: a conflict only
   * when the other side changed cells of it.
   */
  dispute: 'renamed' | 'dropped-by-from' | 'dropped-by-into' | null;
  /** Why no choice helps, in a sentence with the way out. */
  obstacle: string | null;
}

export interface ColumnPlanInput {
  base: readonly SchemaField[];
  from: readonly SchemaField[];
  into: readonly SchemaField[];
  /** Whether a field id of base means the same on that side. */
  isSharedWithFrom: (id: number) => boolean;
  isSharedWithInto: (id: number) => boolean;
}

/** Columns of a three-way merge: pairs them over the refs and plans each. Columns that `from` adds come last. */
export function planColumns(input: ColumnPlanInput): ColumnPlan[] {
  const fromPairs = pairFields(input.base, input.from, input.isSharedWithFrom);
  const intoPairs = pairFields(input.base, input.into, input.isSharedWithInto);
  const afterOf = (pairs: FieldPair[], field: SchemaField): SchemaField | null =>
    pairs.find(({ before }) => before === field)?.after ?? null;
  const addedOf = (pairs: FieldPair[]): SchemaField[] =>
    pairs.flatMap(({ before, after }) => (before === null && after ? [after] : []));
  const fromAdded = addedOf(fromPairs);
  const intoAdded = addedOf(intoPairs);
  const plans = [
    ...input.base.map((base) => planColumn(base, afterOf(fromPairs, base), afterOf(intoPairs, base))),
    ...intoAdded.map((into) =>
      planColumn(null, fromAdded.find(({ name }) => name === into.name) ?? null, into),
    ),
    ...fromAdded
      .filter(({ name }) => !intoAdded.some((into) => into.name === name))
      .map((from) => planColumn(null, from, null)),
  ];
  return withoutCollisions(plans);
}

function planColumn(
  base: SchemaField | null,
  from: SchemaField | null,
  into: SchemaField | null,
): ColumnPlan {
  const plan: ColumnPlan = {
    base,
    from,
    into,
    name: into?.name ?? null,
    action: 'none',
    retypedBy: null,
    dispute: null,
    obstacle: null,
  };
  if (!base) {
    if (from && !into) return { ...plan, name: from.name, action: 'add' };
    if (from && into && from.type !== into.type && canCast(from.type, into.type))
      return { ...plan, retypedBy: 'into' };
    if (from && into && from.type !== into.type)
      return {
        ...plan,
        obstacle: `The column ${into.name} was added on both sides with different types (${from.type}, ${into.type}), and values cannot be carried from one to the other. Rename it on one side, or drop it there.`,
      };
    return plan;
  }
  if (from && into) return planKept(plan, base, from, into);
  if (into) return { ...plan, name: null, action: 'drop', dispute: 'dropped-by-from' };
  if (from) return { ...plan, dispute: 'dropped-by-into' };
  return plan;
}

function planKept(before: ColumnPlan, base: SchemaField, from: SchemaField, into: SchemaField): ColumnPlan {
  const plan = planType(before, base, from, into);
  if (from.name === base.name || from.name === into.name) return plan;
  if (into.name === base.name) return { ...plan, name: from.name, action: 'rename' };
  return { ...plan, dispute: 'renamed' };
}

/** One side gave the column another type: the merged column has that one, and the values of the other side are cast. */
function planType(plan: ColumnPlan, base: SchemaField, from: SchemaField, into: SchemaField): ColumnPlan {
  if (from.type === into.type) return plan;
  if (from.type !== base.type && into.type !== base.type)
    return {
      ...plan,
      obstacle: `The column ${into.name} was retyped on both sides (${base.type} to ${from.type} and to ${into.type}). Give it the same type on both sides first.`,
    };
  const retypedBy = from.type === base.type ? 'into' : 'from';
  const type = retypedBy === 'into' ? into.type : from.type;
  if (canCast(base.type, type)) return { ...plan, retypedBy };
  const side = retypedBy === 'into' ? 'the receiving branch' : 'the branch that is merged';
  return {
    ...plan,
    obstacle: `The column ${into.name} was retyped on ${side} (${base.type} to ${type}), and values cannot be carried from one type to the other. Give it the same type on both sides first, or add the new values as a column of their own.`,
  };
}

/** Two columns that would end up under one name cannot both stay. */
function withoutCollisions(plans: ColumnPlan[]): ColumnPlan[] {
  const taken = new Set<string>();
  return plans.map((plan) => {
    if (plan.name === null) return plan;
    if (!taken.has(plan.name)) {
      taken.add(plan.name);
      return plan;
    }
    return {
      ...plan,
      obstacle: `Two columns would be called ${plan.name} after the merge. Rename one of them first.`,
    };
  });
}
