import { AppError } from '#shared/api/problem.ts';
import type { MediaMaker } from '../../ports/media-maker.ts';
import { makeWaveform } from './audio-waveform.ts';
import { makeCrops } from './crop-picture.ts';
import { readPicture } from './picture-facts.ts';
import { makePictureThumb } from './picture-thumb.ts';
import { makePoster } from './video-poster.ts';

/** Pictures of media; runs in a process of its own, since every input is hostile. */
export function createMediaMaker(): MediaMaker {
  return {
    async makeThumb({ bytes, contentType, size }, { signal }) {
      signal.throwIfAborted();
      const [family] = contentType.split('/');
      if (family === 'image') return makePictureThumb(bytes, size);
      if (family === 'video') return makePoster(bytes, size);
      if (family === 'audio') return makeWaveform(bytes, contentType, size);
      throw new AppError({
        code: 'UNSUPPORTED_MEDIA',
        message: `There is no picture of ${contentType}.`,
        hint: 'Pictures, videos and sounds have one; download the rest.',
      });
    },
    async readPicture({ bytes }, { signal }) {
      signal.throwIfAborted();
      return readPicture(bytes);
    },
    async makeCrops({ bytes, boxes }, { signal }) {
      return { crops: await makeCrops(bytes, boxes, signal) };
    },
  };
}
