import type { Express, Request, Response } from 'express';
import { contract } from '#shared/api/contract.ts';
import type { Route } from '#shared/api/contract-kit.ts';
import { problemStatus } from '#shared/api/problem.ts';
import { buildOpenApi } from './openapi.ts';
import { appVersion } from './pages.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const style = `
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid #8884; vertical-align: top; }
  code, pre { font: 12px/1.5 ui-monospace, monospace; } pre { overflow: auto; padding: 8px 12px; background: #8881; border-radius: 6px; }
  details { border-bottom: 1px solid #8884; padding: 4px 0; } summary { cursor: pointer; } summary code { font-weight: 600; } .method { display: inline-block; width: 4.5rem; }`;

function describeRoute(id: string, route: Route, operation: unknown): string {
  return `<details id="${id}"><summary><code><span class="method">${route.method}</span>${escapeHtml(route.path)}</code> ${escapeHtml(route.summary)}</summary><pre>${escapeHtml(JSON.stringify(operation, null, 2))}</pre></details>`;
}

/** `/api/v1/openapi.json`, and the same for people at `/api/docs`. */
export function mountDocs(app: Express): void {
  const document = buildOpenApi(contract, appVersion);
  const paths = document.paths as Record<string, Record<string, unknown>>;
  const routes = Object.entries(contract as Record<string, Route>).map(([id, route]) =>
    describeRoute(id, route, paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]),
  );
  const codes = Object.entries(problemStatus).map(
    ([code, status]) => `<tr><td><code>${code}</code></td><td>${status}</td></tr>`,
  );
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Curio API</title><style>${style}</style><h1>Curio API ${appVersion}</h1>
<p>JSON under <code>/api/v1</code>, rows as Arrow streams (<code>?format=json</code> for people with curl). Machine-readable: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
${routes.join('\n')}<h2>Problems</h2><p>Errors are <code>application/problem+json</code> with <code>code</code>, <code>detail</code>, <code>hint</code> and, where it fits, <code>at</code>.</p><table><tr><th>code</th><th>status</th></tr>${codes.join('')}</table></html>`;
  app.get('/api/v1/openapi.json', (_request: Request, response: Response) => {
    response.json(document);
  });
  app.get('/api/docs', (_request: Request, response: Response) => {
    response
      .set({ 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" })
      .type('html')
      .send(page);
  });
}
