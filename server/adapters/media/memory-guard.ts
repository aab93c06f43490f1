import { Worker } from 'node:worker_threads';

/**
 * Ends this process when it has more memory than `maxBytes`: a decoder that is led astray takes gigabytes before its
 * time is up, and the thread that it works on hears nothing meanwhile. Who waits for it gets ENGINE_CRASHED.
 */
export function guardMemory(maxBytes: number): void {
  new Worker(new URL('./memory-guard-worker.ts', import.meta.url), {
    workerData: { maxBytes },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  }).unref();
}
