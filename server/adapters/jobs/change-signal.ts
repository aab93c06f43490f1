/** Wakes everyone who waits for the next change of one thing. */
export interface ChangeSignal {
  notify(): void;
  /** Resolves at the next change, or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>;
}

export function createChangeSignal(): ChangeSignal {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const wake of [...waiting]) wake();
    },
    next(signal) {
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
        if (signal.aborted) wake();
      });
    },
  };
}
