import { FileUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSession } from '../../../api/index.ts';
import { showError } from '../../../ui/index.ts';
import { readDrop } from '../read-drop.ts';
import { openImport } from '../store.ts';
import styles from './drop-zone.module.css';

const hasFiles = (event: DragEvent): boolean => Array.from(event.dataTransfer?.types ?? []).includes('Files');

/** Takes files that are dropped anywhere while it is mounted, and shows where they would go. */
export function DropZone() {
  const [isOver, setOver] = useState(false);
  const tables = useSession().data?.tables;
  useEffect(() => {
    let depth = 0;
    const leave = () => {
      depth = 0;
      setOver(false);
    };
    const onEnter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const onLeave = () => {
      depth -= 1;
      if (depth <= 0) leave();
    };
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      leave();
      readDrop(event.dataTransfer).then(
        (files) =>
          files.length > 0 &&
          openImport(
            files,
            (tables ?? []).map(({ name }) => name),
          ),
        showError,
      );
    };
    const listeners = { dragenter: onEnter, dragleave: onLeave, dragover: onOver, drop: onDrop };
    for (const [name, listener] of Object.entries(listeners))
      addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        removeEventListener(name, listener as EventListener);
    };
  }, [tables]);
  if (!isOver) return null;
  return (
    <div className={styles.zone}>
      <div className={styles.card}>
        <FileUp aria-hidden />
        Drop to import as a table
      </div>
    </div>
  );
}
