import { AppError } from '#shared/api/problem.ts';
import { isModelType } from '#shared/domain/models/model.ts';
import { isText } from '../../media-type.ts';
import type { MediaMaker } from '../../ports/media-maker.ts';
import { makeWaveform } from './audio-waveform.ts';
import { makeCrops } from './crop-picture.ts';
import { readModelFacts } from './models/model-facts.ts';
import { makeModelThumb } from './models/model-thumb.ts';
import { countPdfPages, makePdfPage } from './pdf-page.ts';
import { readPicture } from './picture-facts.ts';
import { makePictureThumb } from './picture-thumb.ts';
import { withPicture } from './spooled-picture.ts';
import { makeTextLines } from './text-lines.ts';
import { makePoster } from './video-poster.ts';

/** Pictures of media; runs in a process of its own, since every input is hostile. */
export function createMediaMaker(): Omit<MediaMaker, 'makePlacedThumb'> {
  return {
    async makeThumb({ bytes, contentType, size, page }, { signal, source }) {
      signal.throwIfAborted();
      const value = { bytes, source };
      if (contentType.startsWith('image/'))
        return withPicture(value, signal, (input) => makePictureThumb(input, size));
      const [family] = contentType.split('/');
      if (family === 'video') return makePoster(value, contentType, size);
      if (family === 'audio') return makeWaveform(value, contentType, size);
      if (contentType === 'application/pdf') return makePdfPage(bytes, size, page);
      if (isModelType(contentType)) return makeModelThumb(bytes, { contentType, size }, signal);
      if (isText(contentType)) return makeTextLines(bytes, size);
      throw new AppError({
        code: 'UNSUPPORTED_MEDIA',
        message: `There is no picture of ${contentType}.`,
        hint: 'Pictures, videos, sounds, 3D models, texts and PDF have one; download the rest.',
      });
    },
    async countPages({ bytes }, { signal }) {
      signal.throwIfAborted();
      return { pages: await countPdfPages(bytes) };
    },
    async readPicture({ bytes }, { signal, source }) {
      signal.throwIfAborted();
      return withPicture({ bytes, source }, signal, readPicture);
    },
    async readModel({ bytes, contentType, sizeBytes }, { signal }) {
      signal.throwIfAborted();
      if (!isModelType(contentType)) return { facts: [] };
      return { facts: readModelFacts(bytes, { contentType, sizeBytes }) };
    },
    async makeCrops({ bytes, boxes }, { signal }) {
      return { crops: await makeCrops(bytes, boxes, signal) };
    },
  };
}
