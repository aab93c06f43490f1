import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Orbit, startOrbit } from '#shared/domain/models/orbit.ts';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { Button, cx, ErrorNote, Note, ProgressBar } from '../../../ui/index.ts';
import type { MediaAddress } from '../../grid/index.ts';
import type { LoadedModel } from '../model/worker-messages.ts';
import { type ModelLook, useModelLook } from '../store.ts';
import { AxesMark } from './axes-mark.tsx';
import { ModelCanvas } from './model-canvas.tsx';
import { ModelTools } from './model-tools.tsx';
import styles from './models.module.css';
import { useModel } from './use-model.ts';
import { useModelKeys } from './use-model-keys.ts';

const firstPoints = 1_000_000;
const mostPoints = 16_000_000;

export interface ModelStageProps {
  table: string;
  address: MediaAddress;
  name: string;
}

/** A point cloud or mesh that is turned, moved and zoomed, with its tools and keys. */
export function ModelStage({ table, address, name }: ModelStageProps) {
  const [look, onLook] = useModelLook(table);
  const [orbit, onOrbit] = useState<Orbit>(startOrbit);
  const [has, setHas] = useState({ points: false, faces: false });
  const tools = { look, onLook, orbit, onOrbit, has };
  useModelKeys(tools);
  return (
    <div className={styles.stage}>
      <ModelTools {...tools} />
      <ModelFigure
        address={address}
        name={name}
        look={look}
        orbit={orbit}
        onOrbit={onOrbit}
        onKnown={setHas}
      />
    </div>
  );
}

export interface ModelFigureProps {
  address: MediaAddress;
  name: string;
  look: ModelLook;
  orbit: Orbit;
  onOrbit: (orbit: Orbit) => void;
  /** Told what the model has, once it is there. */
  onKnown?: (has: { points: boolean; faces: boolean }) => void;
}

/** The model with what it shows of how much; its small picture until it is there, and where it cannot be. */
export function ModelFigure({ address, name, look, orbit, onOrbit, onKnown }: ModelFigureProps) {
  const [maxPoints, setMaxPoints] = useState(firstPoints);
  const { state, isReading } = useModel(address.blob, maxPoints);
  const [hasWebGl, setWebGl] = useState(true);
  const [isLost, setLost] = useState(false);
  const [made, setMade] = useState(0);
  const [hasPicture, setPicture] = useState(true);
  const model = state.kind === 'ready' ? state.model : null;
  const tell = useRef(onKnown);
  tell.current = onKnown;
  useEffect(() => {
    if (model) tell.current?.(kindsOf(model));
  }, [model]);
  const isDrawn = model !== null && hasWebGl;
  return (
    <div className={styles.figure}>
      <div
        className={cx(
          styles.ground,
          look.ground === 'light' && styles.light,
          look.ground === 'dark' && styles.dark,
        )}
      >
        {(!isDrawn || isLost) && hasPicture && (
          <img
            src={address.thumb(1024)}
            alt={name}
            className={styles.picture}
            draggable={false}
            onError={() => setPicture(false)}
          />
        )}
        {isDrawn && (
          <ModelCanvas
            key={made}
            model={model}
            label={`${name}: ${countsOf(model)}`}
            look={look}
            orbit={orbit}
            onOrbit={onOrbit}
            onNoWebGl={() => setWebGl(false)}
            onLost={setLost}
          />
        )}
        {isDrawn && look.hasGrid && <AxesMark orbit={orbit} up={look.up === 'auto' ? model.up : look.up} />}
        {state.kind === 'loading' && (
          <div className={styles.notes}>
            <ProgressBar
              label="Loading the model"
              done={state.done}
              total={state.total}
              detail={progressOf(state)}
            />
          </div>
        )}
        {state.kind === 'failed' && (
          <div className={styles.notes}>
            <ErrorNote
              error={state.error}
              title="The model cannot be shown."
              actions={
                <a href={downloadOf(address.blob, name)} download className={styles.download}>
                  <Download size={14} aria-hidden /> Download
                </a>
              }
            />
          </div>
        )}
        {!hasWebGl && (
          <div className={styles.notes}>
            <Note tone="warn">
              This browser has no WebGL, so the model is shown as a picture and cannot be turned. WebGL 2
              needs a graphics driver, or its software renderer switched on.
            </Note>
          </div>
        )}
        {isLost && (
          <div className={styles.notes}>
            <Note tone="warn">
              The graphics card took its memory back. The model is drawn again when it returns.{' '}
              <Button
                size="s"
                onClick={() => {
                  setLost(false);
                  setMade(made + 1);
                }}
              >
                Draw it again
              </Button>
            </Note>
          </div>
        )}
      </div>
      {model && (
        <footer className={styles.foot}>
          <span>{countsOf(model)}</span>
          <span className={styles.faint}>{formatBytes(model.sizeBytes)}</span>
          {isBareCloud(model) && look.coloring === 'own' && (
            <span className={styles.faint}>no colours: by height</span>
          )}
          {isThinned(model) && maxPoints < mostPoints && (
            <Button
              size="s"
              look="quiet"
              isBusy={isReading}
              onClick={() => setMaxPoints(Math.min(mostPoints, maxPoints * 4))}
            >
              Show up to {formatCount(Math.min(mostPoints, maxPoints * 4, model.counts.points))}
            </Button>
          )}
          {model.notices.map((notice) => (
            <span key={notice} className={styles.notice} title={notice}>
              {notice}
            </span>
          ))}
        </footer>
      )}
    </div>
  );
}

const kindsOf = ({ parts }: LoadedModel) => ({
  points: parts.some(({ kind }) => kind === 'points'),
  faces: parts.some(({ kind }) => kind === 'triangles'),
});

const isBareCloud = ({ parts }: LoadedModel): boolean =>
  parts.every(({ kind, colors }) => kind === 'points' && colors === null);

const isThinned = ({ counts, shown, parts }: LoadedModel): boolean =>
  shown.points < counts.points && parts.every(({ kind }) => kind === 'points');

/** How much is shown of how much. */
function countsOf(model: LoadedModel): string {
  const { counts, shown } = model;
  const isCloud = model.parts.every(({ kind }) => kind === 'points');
  if (!isCloud) return `${formatCount(counts.faces)} faces · ${formatCount(counts.points)} vertices`;
  return shown.points < counts.points
    ? `shows ${formatCount(shown.points)} of ${formatCount(counts.points)} points`
    : `${formatCount(counts.points)} ${counts.points === 1 ? 'point' : 'points'}`;
}

const progressOf = ({ done, total }: { done: number; total: number | null }): string =>
  total !== null && done >= total
    ? 'Reading it'
    : `${formatBytes(done)}${total === null ? '' : ` of ${formatBytes(total)}`}`;

const downloadOf = (blob: string, name: string): string =>
  `${blob}${blob.includes('?') ? '&' : '?'}download=${encodeURIComponent(name)}`;
