import { ALL_FORMATS, Input, type InputVideoTrack, VideoSampleSink } from 'mediabunny';
import { AppError } from '#shared/api/problem.ts';
import { makeWaveform } from './audio-waveform.ts';
import { assertHonestTables } from './film-tables.ts';
import { containerSource, type MediaValue } from './media-value.ts';
import { loadNativeCodecs } from './native-codecs.ts';
import { makeRawThumb, type Thumb } from './picture-thumb.ts';

const isoTypes: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/3gpp']);

/** Past the black or the title that many videos begin with, in seconds. */
const posterAtSeconds = 1;

/** A frame from the start of a video; the waveform of one that has sound only. */
export async function makePoster(value: MediaValue, contentType: string, size: number): Promise<Thumb> {
  if (!(await loadNativeCodecs())) throw noDecoder('Videos cannot be decoded on this machine');
  if (isoTypes.has(contentType)) await assertHonestTables(value);
  const input = new Input({ source: containerSource(value), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track && (await input.getPrimaryAudioTrack())) return await makeWaveform(value, contentType, size);
    if (!track) throw noDecoder('The file has no video track');
    if (!(await track.canDecode()))
      throw noDecoder(`Videos coded as ${track.codec ?? 'this'} cannot be decoded here`);
    const sink = new VideoSampleSink(track);
    const duration = await durationOf(track, value);
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

/** Where nothing says how long a large film is, that is not searched for: it is taken to be long enough. */
async function durationOf(track: InputVideoTrack, { source }: MediaValue): Promise<number> {
  if (!source) return track.computeDuration();
  return (await track.getDurationFromMetadata()) ?? Number.POSITIVE_INFINITY;
}

const noDecoder = (message: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED_MEDIA',
    message: `${message}.`,
    hint: 'The browser may still play it: open the row, or download it.',
  });
