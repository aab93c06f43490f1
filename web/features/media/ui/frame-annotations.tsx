import { useMemo } from 'react';
import type { Point, Size } from '#shared/domain/annotations/shape.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { frameSets, setsAtFrame } from '../model/frame-sets.ts';
import { assumedFrames } from '../model/frames.ts';
import { AnnotationLayer } from './annotation-layer.tsx';
import { useFrameTimes } from './use-frame-times.ts';

export interface FrameAnnotationsProps {
  /** Of the video. */
  src: string;
  sets: readonly AnnotationSet[];
  frame: number;
  size: Size;
  seen: Point & Size;
  scale: number;
  hasNames: boolean;
}

/** The annotations of a frame of a video that is only looked at. */
export function FrameAnnotations({ src, sets, frame, ...props }: FrameAnnotationsProps) {
  const { data: frames = assumedFrames } = useFrameTimes(src);
  const framed = useMemo(() => frameSets(sets, frames), [sets, frames]);
  return <AnnotationLayer {...props} sets={setsAtFrame(framed, frame, { isExact: false })} />;
}
