import { lazy, Suspense } from 'react';
import type { MediaAddress } from '../../grid/index.ts';
import type { ModelFigureProps, ModelKeys, ModelStageProps } from '../../models/index.ts';
import styles from './viewer.module.css';

const load = () => import('../../models/index.ts');
const Stage = lazy(() => load().then(({ ModelStage }) => ({ default: ModelStage })));
const Figure = lazy(() => load().then(({ BesideFigure }) => ({ default: BesideFigure })));
const Tools = lazy(() => load().then(({ BesideTools }) => ({ default: BesideTools })));

/** A 3D model on the stage; its renderer is fetched when the first one is opened. */
export function LazyModelStage(props: ModelStageProps) {
  return (
    <Suspense fallback={<Waiting address={props.address} name={props.name} />}>
      <Stage {...props} />
    </Suspense>
  );
}

/** One of several models that share a camera. */
export function LazyModelFigure(props: Omit<ModelFigureProps, 'look'> & { table: string }) {
  return (
    <Suspense fallback={<Waiting address={props.address} name={props.name} />}>
      <Figure {...props} />
    </Suspense>
  );
}

/** The tools and keys of several models. */
export function LazyModelTools(props: Pick<ModelKeys, 'orbit' | 'onOrbit' | 'has'> & { table: string }) {
  return (
    <Suspense fallback={null}>
      <Tools {...props} />
    </Suspense>
  );
}

const Waiting = ({ address, name }: { address: MediaAddress; name: string }) => (
  <div className={styles.middle}>
    <img src={address.thumb(768)} alt={name} className={styles.waiting} draggable={false} />
  </div>
);
