import styles from './thread.module.css';

/** The first letters of a name: stands for a person. */
export function Face({ name }: { name: string }) {
  const letters = name
    .split(/[\s._-]+/)
    .filter((part) => part !== '')
    .slice(0, 2)
    .map((part) => part.charAt(0).toUpperCase())
    .join('');
  return (
    <span className={styles.face} aria-hidden>
      {letters || '?'}
    </span>
  );
}
