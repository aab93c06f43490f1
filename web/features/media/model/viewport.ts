import type { Point, Size } from '#shared/domain/annotations/shape.ts';

/** How a picture is looked at, whatever the size of stage and picture: several stages can share it. */
export interface View {
  /** 1: the whole picture fits. */
  zoom: number;
  /** The place of the picture in the middle of the stage, in shares of its sides. */
  cx: number;
  cy: number;
}

export const wholeView: View = { zoom: 1, cx: 0.5, cy: 0.5 };

/** Where a picture stands in a stage: a pixel of it is `scale` pixels of the screen. */
export interface Placement {
  scale: number;
  /** Of the picture's upper left corner, in pixels of the stage. */
  x: number;
  y: number;
}

const mostFitScale = 8;
const mostScale = 64;
const leastZoom = 0.2;

/** The scale at which a picture fits a stage whole; small ones are enlarged, but not beyond eight times. */
export function fitScale(picture: Size, stage: Size): number {
  if (picture.width <= 0 || picture.height <= 0) return 1;
  return Math.max(0.001, Math.min(stage.width / picture.width, stage.height / picture.height, mostFitScale));
}

export function placeView(view: View, picture: Size, stage: Size): Placement {
  const scale = fitScale(picture, stage) * view.zoom;
  return {
    scale,
    x: stage.width / 2 - view.cx * picture.width * scale,
    y: stage.height / 2 - view.cy * picture.height * scale,
  };
}

/** Inverse of {@link placeView}. */
export function viewOf({ scale, x, y }: Placement, picture: Size, stage: Size): View {
  return {
    zoom: scale / fitScale(picture, stage),
    cx: (stage.width / 2 - x) / (picture.width * scale),
    cy: (stage.height / 2 - y) / (picture.height * scale),
  };
}

export const toPicture = ({ scale, x, y }: Placement, at: Point): Point => ({
  x: (at.x - x) / scale,
  y: (at.y - y) / scale,
});

/** A side that fits stands in the middle; one that does not cannot leave the stage. */
function bound(view: View, picture: Size, stage: Size): View {
  const scale = fitScale(picture, stage) * view.zoom;
  const along = (at: number, shown: number, room: number) => {
    if (shown <= room) return 0.5;
    const half = room / 2 / shown;
    return Math.max(half, Math.min(1 - half, at));
  };
  return {
    zoom: view.zoom,
    cx: along(view.cx, picture.width * scale, stage.width),
    cy: along(view.cy, picture.height * scale, stage.height),
  };
}

export interface Stage {
  picture: Size;
  stage: Size;
}

/** Zooms to a scale so that the place under `at` (of the stage; its middle by default) stays where it is. */
export function zoomTo(view: View, { picture, stage }: Stage, scale: number, at?: Point): View {
  const fit = fitScale(picture, stage);
  const next = Math.max(fit * leastZoom, Math.min(Math.max(mostScale, fit), scale));
  const point = at ?? { x: stage.width / 2, y: stage.height / 2 };
  const before = placeView(view, picture, stage);
  const place = toPicture(before, point);
  return bound(
    viewOf({ scale: next, x: point.x - place.x * next, y: point.y - place.y * next }, picture, stage),
    picture,
    stage,
  );
}

export const zoomBy = (view: View, on: Stage, factor: number, at?: Point): View =>
  zoomTo(view, on, fitScale(on.picture, on.stage) * view.zoom * factor, at);

/** Moves the picture by pixels of the screen. */
export function panView(view: View, { picture, stage }: Stage, by: Point): View {
  const { scale } = placeView(view, picture, stage);
  return bound(
    {
      zoom: view.zoom,
      cx: view.cx - by.x / (picture.width * scale),
      cy: view.cy - by.y / (picture.height * scale),
    },
    picture,
    stage,
  );
}

/** The part of the picture that the stage shows, in pixels of the picture: an SVG's view box. */
export function seenBox(placement: Placement, stage: Size) {
  return {
    x: -placement.x / placement.scale,
    y: -placement.y / placement.scale,
    width: stage.width / placement.scale,
    height: stage.height / placement.scale,
  };
}

/** One pixel of the picture on so many of the screen’s own. */
export const toPixels = (view: View, on: Stage, pixels = 1): View =>
  zoomTo(view, on, pixels / (globalThis.devicePixelRatio || 1));

/** Moves the picture so that a part of it is seen; the same view where it is. */
export function revealBox(view: View, { picture, stage }: Stage, box: Point & Size): View {
  const seen = seenBox(placeView(view, picture, stage), stage);
  const isSeen =
    box.x >= seen.x &&
    box.y >= seen.y &&
    box.x + box.width <= seen.x + seen.width &&
    box.y + box.height <= seen.y + seen.height;
  if (isSeen) return view;
  const middle = {
    cx: (box.x + box.width / 2) / picture.width,
    cy: (box.y + box.height / 2) / picture.height,
  };
  return bound({ zoom: view.zoom, ...middle }, picture, stage);
}

/** Zooms so that a part of the picture takes a third of the stage. */
export function zoomToBox(view: View, on: Stage, box: Point & Size): View {
  const { picture, stage } = on;
  const middle = {
    cx: (box.x + box.width / 2) / picture.width,
    cy: (box.y + box.height / 2) / picture.height,
  };
  const scale = Math.min(stage.width / Math.max(1, box.width), stage.height / Math.max(1, box.height)) / 3;
  const zoomed = zoomTo(view, on, Math.max(scale, fitScale(picture, stage)));
  return bound({ zoom: zoomed.zoom, ...middle }, picture, stage);
}
