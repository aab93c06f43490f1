import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, NextFunction, Request, Response } from 'express';
import { AppError } from '#shared/api/problem.ts';

const pageFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** Monaco sets styles by script and DuckDB compiles WebAssembly; nothing else is let through, and nothing from elsewhere. */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ');

const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

/** The built page: hashed assets for ever, every other address the page itself, unknown API addresses a problem. */
export function mountPages(app: Express): void {
  app.use(['/api', '/no-extensions'], (_request: Request, _response: Response, next: NextFunction) => {
    next(
      new AppError({
        code: 'NOT_FOUND',
        message: 'There is no such address in the API.',
        hint: 'The contract is at /api/docs.',
      }),
    );
  });
  app.get('/{*path}', (request: Request, response: Response, next: NextFunction) => {
    const wanted = normalize(join(pageFolder, decodeURIComponent(request.path)));
    const isInside = wanted.startsWith(pageFolder.endsWith(sep) ? pageFolder : pageFolder + sep);
    const isAsset = isInside && existsSync(wanted) && statSync(wanted).isFile();
    if (!isAsset && extname(request.path) !== '' && request.path.startsWith('/assets/')) {
      next(
        new AppError({
          code: 'NOT_FOUND',
          message: 'This file of the page is gone.',
          hint: 'Reload the page: Curio was updated.',
        }),
      );
      return;
    }
    sendFile(isAsset ? wanted : join(pageFolder, 'index.html'), request, response, next);
  });
}

function sendFile(path: string, request: Request, response: Response, next: NextFunction): void {
  if (!existsSync(path)) {
    next(
      new AppError({
        code: 'NOT_FOUND',
        message: 'The page is not built.',
        hint: 'Start Curio with npm start, which builds it.',
      }),
    );
    return;
  }
  const isPage = path.endsWith('index.html');
  const isHashed = path.includes(`${sep}assets${sep}`);
  response.set({
    'Content-Type': contentTypes[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(isPage ? { 'Content-Security-Policy': pagePolicy } : {}),
  });
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = encodings.find(({ name, ending }) => accepted.includes(name) && existsSync(path + ending));
  if (encoding) response.set('Content-Encoding', encoding.name);
  response.sendFile(
    encoding ? path + encoding.ending : path,
    { cacheControl: false, lastModified: false, etag: true, headers: {} },
    (error) => {
      if (error && !response.headersSent) next(error);
    },
  );
}

/** The version of Curio, from package.json. */
export const appVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
