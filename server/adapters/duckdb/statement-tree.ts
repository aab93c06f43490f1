/** A node of DuckDB's syntax tree as `json_serialize_sql` writes it. */
export type TreeNode = { [key: string]: unknown };

const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every node of a tree, parents first. Iterative: trees of hostile statements are deep. */
export function* walkTree(root: unknown): Generator<TreeNode> {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    // One by one: a list of values can have more entries than a call may have arguments.
    if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at -= 1) open.push(value[at]);
    else if (isNode(value)) {
      yield value;
      open.push(...Object.values(value).reverse());
    }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Names of tables that the tree reads, in order; a name of a `WITH` may be among them. */
export function tableNamesOf(root: unknown): string[] {
  const names: string[] = [];
  for (const node of walkTree(root)) {
    if (node.type !== 'BASE_TABLE') continue;
    const name = textOf(node.table_name);
    if (name !== '' && !names.some((other) => other.toLowerCase() === name.toLowerCase())) names.push(name);
  }
  return names;
}

/** Names that `WITH` gives, lower case. */
export function withNamesOf(root: unknown): Set<string> {
  const names = new Set<string>();
  for (const node of walkTree(root)) {
    const entries = (node.cte_map as { map?: { key: string }[] } | undefined)?.map ?? [];
    for (const { key } of entries) names.add(key.toLowerCase());
    if (typeof node.cte_name === 'string') names.add(node.cte_name.toLowerCase());
  }
  return names;
}

/** Last parts of all names of columns, lower case. */
export function columnNamesOf(root: unknown): Set<string> {
  const names = new Set<string>();
  for (const node of walkTree(root)) {
    if (node.class !== 'COLUMN_REF' || !Array.isArray(node.column_names)) continue;
    for (const part of node.column_names) names.add(textOf(part).toLowerCase());
  }
  return names;
}

/** Names of all functions and operators, lower case. */
export function functionNamesOf(root: unknown): Set<string> {
  const names = new Set<string>();
  for (const node of walkTree(root)) {
    if (typeof node.function_name === 'string') names.add(node.function_name.toLowerCase());
  }
  return names;
}

/** Types that the tree casts to, as DuckDB names them, upper case. */
export function castTypesOf(root: unknown): Set<string> {
  const types = new Set<string>();
  for (const node of walkTree(root)) {
    if (!isNode(node.cast_type)) continue;
    for (const { id, type_info, ...rest } of walkTree(node.cast_type) as Generator<TreeNode>) {
      if (typeof id === 'string') types.add(id.toUpperCase());
      const name = isNode(type_info) ? type_info.name : rest.name;
      if (typeof name === 'string') types.add(name.toUpperCase());
    }
  }
  return types;
}

const constantOf = (node: unknown): number | null => {
  if (!isNode(node) || node.class !== 'CONSTANT' || !isNode(node.value)) return null;
  const { value } = node.value;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
};

/** The tree's only `LIMIT` and the offset before it; `null` where there is none, several, or one that is computed. */
export function onlyLimitOf(root: unknown): { limit: number; offset: number } | null {
  const limits = [...walkTree(root)].filter(
    ({ type }) => type === 'LIMIT_MODIFIER' || type === 'LIMIT_PERCENT_MODIFIER',
  );
  const only = limits[0];
  if (!only || limits.length > 1 || only.type !== 'LIMIT_MODIFIER') return null;
  const limit = constantOf(only.limit);
  const offset = only.offset === null || only.offset === undefined ? 0 : constantOf(only.offset);
  return limit === null || offset === null ? null : { limit, offset };
}

/** Whether the tree asks for the list of tables (`SHOW TABLES`). */
export function asksForTables(root: unknown): boolean {
  for (const node of walkTree(root)) if (node.type === 'SHOW_REF' && !isNode(node.query)) return true;
  return false;
}
