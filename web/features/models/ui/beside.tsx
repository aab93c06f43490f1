import { useModelLook } from '../store.ts';
import { ModelFigure, type ModelFigureProps } from './model-stage.tsx';
import { ModelTools } from './model-tools.tsx';
import { type ModelKeys, useModelKeys } from './use-model-keys.ts';

/** One of several models that are looked at alike. */
export function BesideFigure({ table, ...props }: Omit<ModelFigureProps, 'look'> & { table: string }) {
  const [look] = useModelLook(table);
  return <ModelFigure {...props} look={look} />;
}

/** The tools and keys of several models; zoom stands with that of the pictures. */
export function BesideTools({
  table,
  ...props
}: Pick<ModelKeys, 'orbit' | 'onOrbit' | 'has'> & { table: string }) {
  const [look, onLook] = useModelLook(table);
  const tools = { ...props, look, onLook, hasZoom: false };
  useModelKeys(tools);
  return <ModelTools {...tools} />;
}
