import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useOnlyCommands } from '../../../state/commands.ts';
import styles from './viewer.module.css';

/** Whose commands work while the viewer is open. */
const features = ['viewer', 'annotate', 'player', 'model', 'beside', 'app'];

/** A screen of its own over the page: what lies behind cannot be reached meanwhile, and has the focus again afterwards. */
export function ViewerFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null);
  useOnlyCommands(features);
  useEffect(() => {
    const before = document.activeElement;
    const behind = [...document.querySelectorAll<HTMLElement>('main, nav[aria-label="Main"]')].filter(
      (element) => !element.inert,
    );
    for (const element of behind) element.inert = true;
    frame.current?.focus({ preventScroll: true });
    return () => {
      for (const element of behind) element.inert = false;
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return createPortal(
    <section ref={frame} aria-label={label} tabIndex={-1} className={styles.frame}>
      {children}
    </section>,
    document.body,
  );
}

/** The whole screen and back. */
export function toggleFullScreen(): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen();
  void change.catch(() => undefined);
}
