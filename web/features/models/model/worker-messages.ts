import type { ProblemCode } from '#shared/api/problem.ts';
import type { Model, ModelLimits } from '#shared/domain/models/model.ts';

/** A model as it comes to the page: its pictures decoded, its points in an order of which every beginning is even. */
export interface LoadedModel extends Omit<Model, 'images'> {
  images: (ImageBitmap | null)[];
  sizeBytes: number;
}

export interface LoadRequest {
  url: string;
  limits: ModelLimits;
  maxBytes: number;
}

export type LoadMessage =
  | { kind: 'progress'; done: number; total: number | null }
  | { kind: 'model'; model: LoadedModel }
  | { kind: 'failed'; code: ProblemCode; message: string; hint?: string };
