import type { BoxForm } from './box-form.ts';
import type { GeometryLayout } from './layout.ts';

const fourNames: readonly (readonly [form: BoxForm, names: readonly string[]])[] = [
  ['xywh', ['x', 'y', 'w', 'h']],
  ['xywh', ['x', 'y', 'width', 'height']],
  ['xywh', ['left', 'top', 'width', 'height']],
  ['xyxy', ['x1', 'y1', 'x2', 'y2']],
  ['xyxy', ['x0', 'y0', 'x1', 'y1']],
  ['xyxy', ['xmin', 'ymin', 'xmax', 'ymax']],
  ['xyxy', ['x_min', 'y_min', 'x_max', 'y_max']],
  ['xyxy', ['left', 'top', 'right', 'bottom']],
  ['cxcywh', ['cx', 'cy', 'w', 'h']],
  ['cxcywh', ['cx', 'cy', 'width', 'height']],
  ['cxcywh', ['x_center', 'y_center', 'width', 'height']],
  ['cxcywh', ['xc', 'yc', 'w', 'h']],
];
const angleNames = ['angle', 'theta', 'rotation', 'rot', 'yaw'];
const boxNames =
  /^(.*_)?(b_?boxe?s?|bounding_?boxe?s?|boxe?s?|rects?|bnd_?box|box_2d|obbs?|rbox(es)?|rotated_?box(es)?)(_.*)?$/i;
const rotatedNames = /(^|_)(obbs?|rbox(es)?|rotated|oriented)(_|$)/i;
const outlineNames =
  /^(.*_)?(segmentations?|segments?|polygons?|poly|contours?|outlines?|masks?|rles?)(_.*)?$/i;
const keypointNames = /^(.*_)?(key_?points?|landmarks|kpts?|kps|joints)(_.*)?$/i;
const labelNames = [
  'category',
  'label',
  'class',
  'category_name',
  'class_name',
  'label_name',
  'name',
  'category_id',
  'class_id',
  'label_id',
  'cls',
  'categories',
  'labels',
  'classes',
  'names',
  'object',
];
const scoreNames = ['score', 'scores', 'confidence', 'confidences', 'conf', 'prob', 'probability'];
const captionNames = ['caption', 'captions', 'description', 'phrase'];

const timeNames = [
  'frame',
  'frame_id',
  'frame_index',
  'frame_idx',
  'frame_number',
  'frame_no',
  'frames',
  'frame_ids',
  'frame_indices',
  'time',
  'timestamp',
  'time_s',
  'time_sec',
  'seconds',
  'time_ms',
  'timestamp_ms',
  'times',
  'timestamps',
  't',
];

/** Names of a record by their lower case, and the names as they are. */
export type Names = ReadonlyMap<string, string>;

export const namesOf = (names: Iterable<string>): Names =>
  new Map([...names].map((name) => [name.toLowerCase(), name]));

const firstOf = (names: Names, wanted: readonly string[]): string | null => {
  for (const name of wanted) {
    const found = names.get(name);
    if (found !== undefined) return found;
  }
  return null;
};

export const isBoxName = (name: string): boolean => boxNames.test(name);
export const isRotatedName = (name: string): boolean => rotatedNames.test(name);
export const isOutlineName = (name: string): boolean => outlineNames.test(name);
export const isKeypointName = (name: string): boolean => keypointNames.test(name);
export const labelOf = (names: Names): string | null => firstOf(names, labelNames);
export const scoreOf = (names: Names): string | null => firstOf(names, scoreNames);
export const timeOf = (names: Names): string | null => firstOf(names, timeNames);
export const captionOf = (names: Names): string | null => firstOf(names, captionNames);

/** A box whose four numbers (and angle) have a field each. */
export function spreadBox(names: Names, prefix = ''): GeometryLayout | null {
  for (const [form, wanted] of fourNames) {
    const fields = wanted.map((name) => names.get(name));
    if (!fields.every((field) => field !== undefined)) continue;
    const full = (fields as string[]).map((field) => prefix + field);
    const angle = form === 'cxcywh' ? firstOf(names, angleNames) : null;
    return angle
      ? { kind: 'rotated', fields: [...full, prefix + angle], angle: 'degrees' }
      : { kind: 'box', fields: full, form };
  }
  return null;
}

/** What a name says about the order of a box's numbers; null where it says nothing. */
export function formOfName(name: string): BoxForm | null {
  if (/xyxy|voc|pascal|corners/i.test(name)) return 'xyxy';
  if (/yxyx|box_2d|tf_?box/i.test(name)) return 'yxyx';
  if (/yolo|cxcywh|xywhn|cywh|center/i.test(name)) return 'cxcywh';
  if (/xywh|coco/i.test(name)) return 'xywh';
  return null;
}
