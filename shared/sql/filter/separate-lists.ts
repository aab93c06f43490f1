import type { BoundExpr } from './bound.ts';

/**
 * DataFusion joins `x in (1, 2) and x in (3, 4)` into `x in ()`, and that into false, also where x is null and the
 * answer is null (and the same with `or` and `not in`). So from the second list on `x` is written as coalesce(x, x).
 */
export function separateLists(expr: BoundExpr, keyOf: (item: BoundExpr) => string): BoundExpr {
  const seen = new Set<string>();
  const walk = (node: BoundExpr): BoundExpr => {
    switch (node.kind) {
      case 'and':
      case 'or':
        return { ...node, items: node.items.map(walk) };
      case 'not':
      case 'isNull':
      case 'isBool':
        return { ...node, item: walk(node.item) };
      case 'compare':
        return { ...node, left: walk(node.left), right: walk(node.right) };
      case 'call':
        return { ...node, args: node.args.map(walk) };
      case 'in': {
        const key = keyOf(node.item);
        if (!seen.has(key)) {
          seen.add(key);
          return node;
        }
        const { item } = node;
        const same: BoundExpr = {
          kind: 'call',
          at: item.at,
          type: item.type,
          args: [item, item],
          lance: 'coalesce($*)',
          duckdb: '',
        };
        return { ...node, item: same };
      }
      default:
        return node;
    }
  };
  return walk(expr);
}
