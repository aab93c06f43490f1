import type { BoxShape, Size } from './shape.ts';

/** What four numbers of a box mean: COCO, Pascal VOC and torchvision, YOLO, TensorFlow. */
export const boxForms = ['xywh', 'xyxy', 'cxcywh', 'yxyx'] as const;
export type BoxForm = (typeof boxForms)[number];

/** Pixels, shares of the picture (0 to 1), or thousandths of it. */
export const boxUnits = ['pixel', 'share', 'thousand'] as const;
export type BoxUnit = (typeof boxUnits)[number];

export type FourNumbers = [number, number, number, number];

/** What one unit is in pixels, across and down. */
export function unitScale(unit: BoxUnit, { width, height }: Size): { x: number; y: number } {
  if (unit === 'pixel') return { x: 1, y: 1 };
  const parts = unit === 'share' ? 1 : 1000;
  return { x: width / parts, y: height / parts };
}

/** A box in pixels from its four numbers. Inverse of {@link formatBox}. */
export function parseBox(
  [a, b, c, d]: Readonly<FourNumbers>,
  { form, unit, size }: { form: BoxForm; unit: BoxUnit; size: Size },
): BoxShape {
  const scale = unitScale(unit, size);
  const box = (x: number, y: number, width: number, height: number): BoxShape => ({
    kind: 'box',
    x: x * scale.x,
    y: y * scale.y,
    width: width * scale.x,
    height: height * scale.y,
  });
  switch (form) {
    case 'xywh':
      return box(a, b, c, d);
    case 'xyxy':
      return box(a, b, c - a, d - b);
    case 'yxyx':
      return box(b, a, d - b, c - a);
    case 'cxcywh':
      return box(a - c / 2, b - d / 2, c, d);
  }
}

/** The four numbers of a box. Inverse of {@link parseBox}. */
export function formatBox(
  box: Pick<BoxShape, 'x' | 'y' | 'width' | 'height'>,
  { form, unit, size }: { form: BoxForm; unit: BoxUnit; size: Size },
): FourNumbers {
  const scale = unitScale(unit, size);
  const x = box.x / scale.x;
  const y = box.y / scale.y;
  const width = box.width / scale.x;
  const height = box.height / scale.y;
  switch (form) {
    case 'xywh':
      return [x, y, width, height];
    case 'xyxy':
      return [x, y, x + width, y + height];
    case 'yxyx':
      return [y, x, y + height, x + width];
    case 'cxcywh':
      return [x + width / 2, y + height / 2, width, height];
  }
}
