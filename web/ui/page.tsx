import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './page.module.css';

export interface PageProps {
  /** The one bar on top: where am I, on which ref, what is not merged. Its heading is the page's `h1`. */
  bar: ReactNode;
  /** A second bar, for chips and views. */
  tools?: ReactNode;
  /** What the page shows covers: scope, order, engine, time. A `status`. */
  truth?: ReactNode;
  /** At the right end of the truth line: a hint that moves nothing. */
  truthEnd?: ReactNode;
  children: ReactNode;
  /** The page's content scrolls as a whole, with the usual margins. */
  isDocument?: boolean;
}

/** The frame of every screen: bar, tools, content, truth line. */
export function Page({ bar, tools, truth, children, truthEnd, isDocument }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>{bar}</header>
      {tools && <div className={styles.tools}>{tools}</div>}
      <div className={cx(styles.content, isDocument && styles.document)}>{children}</div>
      {truth !== undefined && (
        <footer className={styles.truth}>
          <div role="status" aria-label="Scope" className={styles.truthText}>
            {truth}
          </div>
          {truthEnd}
        </footer>
      )}
    </div>
  );
}

/** The heading of a page in its bar. */
export function PageTitle({ children }: { children: ReactNode }) {
  return <h1 className={styles.title}>{children}</h1>;
}

/** Parts of a truth line, with dots between them; empty ones are left out. */
export function TruthLine({ parts }: { parts: (ReactNode | null | false | undefined)[] }) {
  const shown = parts.filter((part) => part !== null && part !== false && part !== undefined && part !== '');
  return shown.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence of parts
    <span key={index} className={styles.part}>
      {part}
    </span>
  ));
}

/** Pushes what follows to the right end of a bar. */
export function Spacer() {
  return <span className={styles.spacer} />;
}
