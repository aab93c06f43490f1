// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import type { LoadOptions } from '../model/load-model.ts';
import type { LoadedModel } from '../model/worker-messages.ts';
import { ModelStage } from './model-stage.tsx';

const loads: {
  url: string;
  options: LoadOptions;
  resolve: (model: LoadedModel) => void;
  reject: (error: unknown) => void;
}[] = [];

vi.mock('../model/load-model.ts', () => ({
  loadModel: (url: string, options: LoadOptions) =>
    new Promise((resolve, reject) => loads.push({ url, options, resolve, reject })),
}));

const cloud: LoadedModel = {
  up: 'z',
  origin: [0, 0, 0],
  parts: [
    {
      kind: 'points',
      positions: Float32Array.of(0, 0, 0, 1, 1, 1),
      normals: null,
      colors: null,
      uvs: null,
      indices: null,
      material: null,
    },
  ],
  materials: [],
  images: [],
  counts: { points: 12_400_000, faces: 0 },
  shown: { points: 1_000_000, faces: 0 },
  bounds: { min: [0, 0, 0], max: [1, 1, 1] },
  facts: [],
  notices: ['3 points have no finite place and are not shown.'],
  sizeBytes: 2_000_000,
};

let page: ReturnType<typeof renderPage>;
beforeEach(() => {
  preparePage();
  loads.length = 0;
  HTMLCanvasElement.prototype.getContext = () => null;
  page = renderPage(
    <ModelStage
      table="shapes"
      name="media"
      address={{ blob: '/b/1', thumb: (px: number) => `/t/1?size=${px}` }}
    />,
    '/t/shapes',
  );
});
afterEach(() => page.close());

const thumb = () => screen.queryByRole('img', { name: 'media' });

test('while it comes, its small picture and how much has come are seen', async () => {
  loads[0]?.options.onProgress(5e6, 2e7);
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('5000000');
  expect(thumb()?.getAttribute('src')).toBe('/t/1?size=1024');
});

test('it says how many of how many points are shown, and what is not; without WebGL its picture stays', async () => {
  loads[0]?.resolve(cloud);
  expect(await screen.findByText(/shows 1.000.000 of 12.400.000 points/)).toBeTruthy();
  expect(await screen.findByText(/no WebGL/)).toBeTruthy();
  expect(screen.getByText(/3 points have no finite place/)).toBeTruthy();
  expect(thumb()).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /Show up to 4.000.000/ }));
  expect(loads.at(-1)?.options.maxPoints).toBe(4_000_000);
});

test('why it cannot be shown stands there, with the way to have it', async () => {
  loads[0]?.reject(
    new AppError({ code: 'INVALID_FILE', message: 'It is cut off.', hint: 'Look elsewhere.' }),
  );
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/cannot be shown.*It is cut off.*Look elsewhere/);
  expect(screen.getByRole('link', { name: /Download/ }).getAttribute('href')).toBe('/b/1?download=media');
});

test('leaving it ends the loading', () => {
  page.close();
  expect(loads[0]?.options.signal.aborted).toBe(true);
});
