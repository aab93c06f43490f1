import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** What a route answers with: JSON of a schema, an Arrow stream, bytes, or server-sent events of a schema. */
export type Reply =
  | { kind: 'json'; schema: z.ZodType; status: number }
  | { kind: 'arrow' }
  | { kind: 'bytes' }
  | { kind: 'events'; schema: z.ZodType }
  | { kind: 'none' };

export interface Route {
  method: Method;
  /** Express syntax: `/api/v1/tables/:table`. */
  path: string;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body is a multipart form that the handler reads itself. */
  isMultipart?: boolean;
  reply: Reply;
}

export type Contract = Record<string, Route>;

/** Keeps the literal types of a contract's routes. */
export const defineContract = <const C extends Contract>(contract: C): C => contract;

export const json = <S extends z.ZodType>(schema: S, status = 200) => ({
  kind: 'json' as const,
  schema,
  status,
});
export const arrow = { kind: 'arrow' } as const;
export const bytes = { kind: 'bytes' } as const;
export const none = { kind: 'none' } as const;
export const events = <S extends z.ZodType>(schema: S) => ({ kind: 'events' as const, schema });

type Infer<S> = S extends z.ZodType ? z.infer<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

export type ParamsOf<R extends Route> = Infer<R['params']>;
export type QueryOf<R extends Route> = Infer<R['query']>;
export type BodyOf<R extends Route> = Infer<R['body']>;
export type QueryInputOf<R extends Route> = Input<R['query']>;
export type BodyInputOf<R extends Route> = Input<R['body']>;
export type EventOf<R extends Route> = R['reply'] extends { kind: 'events'; schema: infer S }
  ? Infer<S>
  : never;
export type JsonOf<R extends Route> = R['reply'] extends { kind: 'json'; schema: infer S } ? Infer<S> : never;
