import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const apiTarget = `http://127.0.0.1:${process.env.PORT ?? 4820}`;

export default defineConfig({
  root: 'web',
  publicDir: '../public',
  build: { outDir: '../dist/web', emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4000 },
  optimizeDeps: { exclude: ['@duckdb/duckdb-wasm'] },
  worker: { format: 'es' },
  server: {
    port: 4821,
    proxy: { '^/api/(v1|docs)': { target: apiTarget }, '/healthz': { target: apiTarget } },
  },
  plugins: [react()],
});
