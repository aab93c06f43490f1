import type { ValueType } from './value-type.ts';

export type CompareOp = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type ArithmeticOp = '+' | '-' | '*' | '/' | '//' | '%' | '||';

/** What a literal says, as it was written; numbers keep all their digits. */
export type LiteralValue =
  | { kind: 'null' }
  | { kind: 'bool'; value: boolean }
  | { kind: 'number'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'bytes'; hex: string }
  /** `timestamp '…'`, `date '…'`, `time '…'`, `interval '…'`. */
  | { kind: 'timestamp' | 'date' | 'time' | 'interval'; text: string };

/** A filter as it was written, before names and types are looked up. `at` is the offset in the text. */
export type FilterExpr =
  | { kind: 'literal'; at: number; value: LiteralValue }
  /** `a`, `a.b`: a column and, where the column is a struct, its fields. */
  | { kind: 'name'; at: number; path: string[] }
  | { kind: 'not'; at: number; item: FilterExpr }
  | { kind: 'negate'; at: number; item: FilterExpr }
  | { kind: 'and' | 'or'; at: number; items: FilterExpr[] }
  | { kind: 'compare'; at: number; op: CompareOp; left: FilterExpr; right: FilterExpr }
  | { kind: 'arithmetic'; at: number; op: ArithmeticOp; left: FilterExpr; right: FilterExpr }
  | { kind: 'between'; at: number; item: FilterExpr; low: FilterExpr; high: FilterExpr; isNegated: boolean }
  | { kind: 'in'; at: number; item: FilterExpr; list: FilterExpr[]; isNegated: boolean }
  | {
      kind: 'like';
      at: number;
      item: FilterExpr;
      pattern: FilterExpr;
      isCaseless: boolean;
      isNegated: boolean;
    }
  | { kind: 'isNull'; at: number; item: FilterExpr; isNegated: boolean }
  | { kind: 'isBool'; at: number; item: FilterExpr; value: boolean; isNegated: boolean }
  | { kind: 'distinct'; at: number; left: FilterExpr; right: FilterExpr; isNegated: boolean }
  | { kind: 'call'; at: number; name: string; args: FilterExpr[] }
  | { kind: 'cast'; at: number; item: FilterExpr; type: ValueType; isTry: boolean }
  | { kind: 'index'; at: number; item: FilterExpr; index: FilterExpr }
  | { kind: 'field'; at: number; item: FilterExpr; name: string }
  | { kind: 'array'; at: number; items: FilterExpr[] };
