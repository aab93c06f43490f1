import {
  BoxSelect,
  ChevronLeft,
  ChevronRight,
  Expand,
  Grid3x3,
  Maximize,
  Minus,
  PanelRight,
  Pencil,
  Plus,
  Type,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../../ui/format-quantity.ts';
import { Button, IconButton, Spacer } from '../../../ui/index.ts';
import { fitScale, type Stage, toPixels, type View, wholeView, zoomBy } from '../model/viewport.ts';
import type { MediaLook } from '../store.ts';
import styles from './viewer.module.css';
import { toggleFullScreen } from './viewer-frame.tsx';

export interface ViewerBarProps {
  title: string;
  index: number | null;
  total: number | null;
  canStep: (by: number) => boolean;
  step: (by: number) => void;
  picture: {
    view: View;
    on: Stage;
    setView: (view: View) => void;
    hasGrid: boolean;
    /** Null where there is no pixel grid. */
    setGrid: (() => void) | null;
  } | null;
  look: MediaLook;
  onLook: (patch: Partial<MediaLook>) => void;
  canAnnotate: boolean;
  canEdit: boolean;
  /** There is something to tell beside the stage. */
  hasPanel: boolean;
  isEditing: boolean;
  onEdit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Where one is, which column, and the tools of the stage. */
export function ViewerBar(props: ViewerBarProps) {
  const { title, index, total, canStep, step, picture, look, onLook, canAnnotate, isEditing, children } =
    props;
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      <span className={styles.place}>
        {index !== null && total !== null && `${formatCount(index + 1)} of ${formatCount(total)}`}
      </span>
      <IconButton
        label="Previous"
        keys="k"
        icon={<ChevronLeft />}
        isDisabled={!canStep(-1)}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next"
        keys="j"
        icon={<ChevronRight />}
        isDisabled={!canStep(1)}
        onClick={() => step(1)}
      />
      {children}
      <Spacer />
      {canAnnotate && (
        <div className={styles.group}>
          <IconButton
            label={look.hasAnnotations ? 'Hide annotations' : 'Show annotations'}
            keys="o"
            icon={<BoxSelect />}
            isPressed={look.hasAnnotations}
            onClick={() => onLook({ hasAnnotations: !look.hasAnnotations })}
          />
          <IconButton
            label={look.hasNames ? 'Hide names' : 'Show names'}
            keys="n"
            icon={<Type />}
            isPressed={look.hasNames}
            onClick={() => onLook({ hasNames: !look.hasNames })}
          />
          {props.canEdit && (
            <Button
              size="s"
              icon={<Pencil />}
              keys="e"
              look={isEditing ? 'primary' : 'plain'}
              onClick={props.onEdit}
            >
              {isEditing ? 'Done' : 'Edit'}
            </Button>
          )}
        </div>
      )}
      {picture && <ZoomTools {...picture} />}
      <div className={styles.group}>
        {props.hasPanel && (
          <IconButton
            label={look.hasPanel ? 'Hide the panel' : 'Show the panel'}
            keys="i"
            icon={<PanelRight />}
            isPressed={look.hasPanel}
            onClick={() => onLook({ hasPanel: !look.hasPanel })}
          />
        )}
        <IconButton label="Full screen" keys="f" icon={<Expand />} onClick={toggleFullScreen} />
        <IconButton label="Close" keys="Escape" icon={<X />} onClick={props.onClose} />
      </div>
    </header>
  );
}

function ZoomTools({ view, on, setView, hasGrid, setGrid }: NonNullable<ViewerBarProps['picture']>) {
  const scale = fitScale(on.picture, on.stage) * view.zoom * (globalThis.devicePixelRatio || 1);
  return (
    <div className={styles.group}>
      <IconButton
        label="Zoom out"
        keys="-"
        icon={<Minus />}
        onClick={() => setView(zoomBy(view, on, 1 / 1.4))}
      />
      <span className={styles.percent}>{Math.round(scale * 100)} %</span>
      <IconButton label="Zoom in" keys="+" icon={<Plus />} onClick={() => setView(zoomBy(view, on, 1.4))} />
      <IconButton label="Whole picture" keys="0" icon={<Maximize />} onClick={() => setView(wholeView)} />
      <Button
        size="s"
        look="quiet"
        keys="1"
        tip="Every pixel on one of the screen"
        onClick={() => setView(toPixels(view, on))}
      >
        1:1
      </Button>
      {setGrid && (
        <IconButton
          label="Pixel grid, from 1200 %"
          keys="g"
          icon={<Grid3x3 />}
          isPressed={hasGrid}
          onClick={setGrid}
        />
      )}
    </div>
  );
}
