import { AppError, isAppError, Problem, parseProblem } from '#shared/api/problem.ts';
import {
  brokenModel,
  isModelType,
  type Model,
  type ModelImage,
  unreadModel,
} from '#shared/domain/models/model.ts';
import { readModel } from '#shared/domain/models/read-model.ts';
import { spreadPoints } from './spread-points.ts';
import type { LoadedModel, LoadMessage, LoadRequest } from './worker-messages.ts';

const scope = globalThis as unknown as {
  postMessage(message: LoadMessage, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<LoadRequest>) => void) | null;
};

scope.onmessage = ({ data }) => {
  void load(data).catch((error: unknown) => {
    const { code, message, hint } = isAppError(error)
      ? error
      : brokenModel('The file is damaged, or too large for this browser.');
    scope.postMessage({ kind: 'failed', code, message, hint });
  });
};

async function load({ url, limits, maxBytes }: LoadRequest): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw parseProblem(Problem.parse(await response.json()));
  const contentType = response.headers.get('content-type');
  if (!isModelType(contentType))
    throw unreadModel(`These bytes are ${contentType ?? 'of an unknown type'}, not a 3D model.`);
  const bytes = await readBody(response, maxBytes);
  const model = readModel(bytes, contentType, limits);
  const images = await Promise.all(model.images.map(decodeImage));
  const loaded: LoadedModel = {
    ...model,
    parts: model.parts.map(spreadPoints),
    images,
    sizeBytes: bytes.length,
  };
  scope.postMessage({ kind: 'model', model: loaded }, transfersOf(loaded));
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const told = response.headers.get('content-length');
  const total = told === null ? null : Number(told);
  if (total !== null && total > maxBytes)
    throw unreadModel(
      `At ${Math.round(total / 1e6)} MB the model is larger than the ${Math.round(maxBytes / 1e6)} MB that this page holds.`,
    );
  const reader = response.body?.getReader();
  if (!reader) throw new AppError({ code: 'STREAM_BROKEN', message: 'The model did not arrive.' });
  let bytes = new Uint8Array(total ?? 1 << 20);
  let done = 0;
  for (;;) {
    const { value, done: isEnd } = await reader.read();
    if (isEnd) break;
    if (done + value.length > bytes.length) {
      if (done + value.length > maxBytes) throw unreadModel('The model is larger than this page holds.');
      const grown = new Uint8Array(Math.max(bytes.length * 2, done + value.length));
      grown.set(bytes.subarray(0, done));
      bytes = grown;
    }
    bytes.set(value, done);
    done += value.length;
    scope.postMessage({ kind: 'progress', done, total });
  }
  return bytes.subarray(0, done);
}

const largestSide = 2048;

/** A picture of a material; null for one that the browser cannot decode. */
async function decodeImage({ bytes, contentType }: ModelImage): Promise<ImageBitmap | null> {
  try {
    const image = await createImageBitmap(new Blob([bytes.slice()], { type: contentType }), {
      premultiplyAlpha: 'none',
      colorSpaceConversion: 'none',
    });
    const scale = largestSide / Math.max(image.width, image.height);
    if (scale >= 1) return image;
    const smaller = await createImageBitmap(image, {
      resizeWidth: Math.max(1, Math.round(image.width * scale)),
      resizeHeight: Math.max(1, Math.round(image.height * scale)),
      premultiplyAlpha: 'none',
    });
    image.close();
    return smaller;
  } catch {
    return null;
  }
}

function transfersOf({ parts, images }: LoadedModel): Transferable[] {
  const buffers = new Set<ArrayBufferLike>();
  for (const { positions, normals, colors, uvs, indices } of parts as Model['parts'])
    for (const list of [positions, normals, colors, uvs, indices]) if (list) buffers.add(list.buffer);
  return [...(buffers as Set<ArrayBuffer>), ...images.filter((image) => image !== null)];
}
