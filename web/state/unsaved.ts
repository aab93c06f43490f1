let open = 0;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/** While the work runs, the browser asks before the page is closed or left for another one. */
export async function guardUnsaved<T>(work: Promise<T>): Promise<T> {
  open += 1;
  if (open === 1) globalThis.addEventListener('beforeunload', ask);
  try {
    return await work;
  } finally {
    open -= 1;
    if (open === 0) globalThis.removeEventListener('beforeunload', ask);
  }
}
