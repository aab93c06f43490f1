import { useState } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { Combobox, Slider } from '../../../ui/index.ts';
import { canHold, type MaskTools } from './use-mask-tools.ts';
import { type DrawKind, isPaintKind } from './use-shape-tool.ts';
import styles from './viewer.module.css';

/** How wide the brush is and, in a mask that is a picture, which class it paints. */
export function MaskBar({
  masks,
  layout,
  drawing,
}: {
  masks: MaskTools;
  layout: AnnotationLayout | undefined;
  drawing: DrawKind | null;
}) {
  const { picture, diameter, setDiameter, classes, paintClass, setPaintClass, whyNot } = masks;
  const [refused, setRefused] = useState<string | null>(null);
  const choose = (label: string) => {
    const isHeld = picture !== undefined && canHold(picture, label, layout?.classes);
    setRefused(isHeld ? null : label);
    if (isHeld) setPaintClass(label);
  };
  if (whyNot) return <span className={styles.faint}>{whyNot}</span>;
  const options = [...new Set([...classes, ...(paintClass ? [paintClass] : [])])];
  return (
    <>
      {picture && (
        <Combobox
          label="Painted class"
          value={paintClass ?? undefined}
          options={options.map((label) => ({ value: label, label }))}
          onChange={choose}
          onCreate={choose}
          createLabel={(text) => `Value “${text}”`}
          searchPlaceholder="Find a class, or a number"
        />
      )}
      {refused && (
        <span className={styles.faint} role="alert">
          “{refused}” is no value that this mask can hold
        </span>
      )}
      {drawing !== null && isPaintKind(drawing) && drawing !== 'fill' && (
        <span className={styles.brush}>
          <Slider
            label="Size of the brush, [ and ]"
            value={Math.min(400, diameter)}
            min={1}
            max={400}
            step={1}
            onChange={setDiameter}
          />
          <span className={styles.faint}>{diameter} px</span>
        </span>
      )}
    </>
  );
}
