import { CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Button, IconButton } from './button.tsx';
import { readError } from './notes.tsx';
import styles from './toast.module.css';

export interface Toast {
  id: number;
  text: string;
  hint?: string;
  isError: boolean;
  action?: { label: string; keys?: string; run: () => void };
  lastsMs: number;
}

const toasts = createStore<{ items: Toast[]; said: string; next: number }>(() => ({
  items: [],
  said: '',
  next: 1,
}));

export interface ToastOptions {
  hint?: string;
  action?: Toast['action'];
  lastsMs?: number;
}

/** Says what just happened; returns a function that takes it away. */
export function showToast(text: string, options: ToastOptions = {}): () => void {
  return push({
    text,
    hint: options.hint,
    isError: false,
    action: options.action,
    lastsMs: options.lastsMs ?? (options.action ? 10_000 : 5_000),
  });
}

/** Says that something failed which has no place of its own on the screen. Says nothing of what was cancelled. */
export function showError(error: unknown): void {
  if (error && (error as { code?: string }).code === 'ABORTED') return;
  const { message, hint } = readError(error);
  push({ text: message, hint, isError: true, lastsMs: 12_000 });
}

/** Reads a text to those who listen, without showing it. */
export const announce = (text: string): void => toasts.setState({ said: text });

function dismissToast(id: number): void {
  toasts.setState((state) => ({ items: state.items.filter((item) => item.id !== id) }));
}

function push(toast: Omit<Toast, 'id'>): () => void {
  const id = toasts.getState().next;
  toasts.setState((state) => ({ next: id + 1, items: [...state.items.slice(-2), { ...toast, id }] }));
  return () => dismissToast(id);
}

/** The corner where toasts stand, and the announcer (`status`). Once per app. */
export function Toaster() {
  const items = useStore(toasts, (state) => state.items);
  const said = useStore(toasts, (state) => state.said);
  return (
    <div className={styles.corner}>
      <div role="status" aria-label="What just happened">
        <span className="visually-hidden">{said}</span>
        {items
          .filter((item) => !item.isError)
          .map((item) => (
            <Item key={item.id} item={item} />
          ))}
      </div>
      {items
        .filter((item) => item.isError)
        .map((item) => (
          <div key={item.id} role="alert">
            <Item item={item} />
          </div>
        ))}
    </div>
  );
}

function Item({ item }: { item: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(item.id), item.lastsMs);
    return () => clearTimeout(timer);
  }, [item]);
  return (
    <div className={styles.toast}>
      {item.isError && <CircleAlert className={styles.icon} aria-hidden />}
      <div className={styles.text}>
        {item.text}
        {item.hint && <span className={styles.hint}>{item.hint}</span>}
      </div>
      {item.action && (
        <Button
          size="s"
          keys={item.action.keys}
          onClick={() => {
            dismissToast(item.id);
            item.action?.run();
          }}
        >
          {item.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" size="s" icon={<X />} onClick={() => dismissToast(item.id)} />
    </div>
  );
}
