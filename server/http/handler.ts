import type { Request, Response } from 'express';
import type { BodyOf, JsonOf, ParamsOf, QueryOf, Route } from '#shared/api/contract-kit.ts';
import type { ByteStream } from '../ports/call.ts';
import type { Principal } from '../usecases/authorize.ts';

export interface HandlerRequest<R extends Route> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  principal: Principal;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  request: Request;
}

export interface ArrowReply {
  stream: ByteStream;
  /** Set for pinned refs: the answer never changes, and this names it. */
  immutableTag?: string;
}

export interface BytesReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Takes chunks of the body back that were sent. */
  release?: ByteStream['release'];
}

type Answer<R extends Route> = R['reply'] extends { kind: 'json' }
  ? JsonOf<R>
  : R['reply'] extends { kind: 'arrow' }
    ? ArrowReply
    : R['reply'] extends { kind: 'bytes' }
      ? BytesReply
      : R['reply'] extends { kind: 'events' }
        ? AsyncIterable<unknown>
        : // biome-ignore lint/suspicious/noConfusingVoidType: handlers of routes without an answer return nothing
          void;

export type Handler<R extends Route> = (
  request: HandlerRequest<R>,
  response: Response,
) => Promise<Answer<R>> | Answer<R>;

/** One handler for every route of a contract. */
export type Handlers<C extends Record<string, Route>> = { [K in keyof C]: Handler<C[K]> };
