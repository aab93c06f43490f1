import styles from './kbd.module.css';

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const names: Record<string, string> = isMac
  ? {
      Mod: '⌘',
      Shift: '⇧',
      Alt: '⌥',
      Ctrl: '⌃',
      Enter: '↩',
      Escape: 'esc',
      Space: 'space',
      Backspace: '⌫',
      Delete: '⌦',
    }
  : { Mod: 'Ctrl', Escape: 'Esc', Space: 'Space' };
const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** The keys of one shortcut as a person reads them: `Mod+K` → ⌘ K or Ctrl K; `g t` is a sequence. */
export const formatKeys = (keys: string): string[] =>
  keys
    .split(' ')
    .flatMap((step) => (step === '+' ? ['+'] : step.split('+')))
    .map((key) => names[key] ?? arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key));

/** A keyboard shortcut. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {formatKeys(keys).map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may stand twice in one shortcut
        <kbd key={index} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
