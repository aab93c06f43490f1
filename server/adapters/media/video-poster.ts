import { ALL_FORMATS, BufferSource, Input, VideoSampleSink } from 'mediabunny';
import { AppError } from '#shared/api/problem.ts';
import { makeWaveform } from './audio-waveform.ts';
import { loadNativeCodecs } from './native-codecs.ts';
import { makeRawThumb, type Thumb } from './picture-thumb.ts';

/** Past the black or the title that many videos begin with, in seconds. */
const posterAtSeconds = 1;

/** A frame from the start of a video; the waveform of one that has sound only. */
export async function makePoster(bytes: Uint8Array, contentType: string, size: number): Promise<Thumb> {
  if (!(await loadNativeCodecs())) throw noDecoder('Videos cannot be decoded on this machine');
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track && (await input.getPrimaryAudioTrack())) return await makeWaveform(bytes, contentType, size);
    if (!track) throw noDecoder('The file has no video track');
    if (!(await track.canDecode()))
      throw noDecoder(`Videos coded as ${track.codec ?? 'this'} cannot be decoded here`);
    const sink = new VideoSampleSink(track);
    const duration = await track.computeDuration();
    const start = await track.getFirstTimestamp();
    const sample = await sink.getSample(start + Math.min(posterAtSeconds, duration / 2));
    if (!sample) throw noDecoder('The video has no frame');
    try {
      const pixels = new Uint8Array(sample.allocationSize({ format: 'RGBA' }));
      await sample.copyTo(pixels, { format: 'RGBA' });
      return await makeRawThumb(pixels, {
        width: sample.codedWidth,
        height: sample.codedHeight,
        size,
        rotation: track.rotation,
      });
    } finally {
      sample.close();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'The video cannot be decoded.',
      hint: 'Download it to look at it elsewhere.',
      cause: error,
    });
  } finally {
    input.dispose();
  }
}

const noDecoder = (message: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED_MEDIA',
    message: `${message}.`,
    hint: 'The browser may still play it: open the row, or download it.',
  });
