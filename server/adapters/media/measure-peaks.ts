import { ALL_FORMATS, AudioSampleSink, Input } from 'mediabunny';
import { decodeParts } from './decode-parts.ts';
import { decodeSound, planesOf } from './decode-sound.ts';
import { assertHonestTables } from './film-tables.ts';
import { containerSource, type MediaValue, sizeOfValue } from './media-value.ts';
import { loadNativeCodecs } from './native-codecs.ts';
import { loudest, PeakMeter } from './peak-meter.ts';
import { hearWavParts } from './wav-parts.ts';

/** Coded sounds beyond this, and others beyond that, are looked at in parts: one for each bar of the drawing. */
const maxCodedBytes = 12 * 1024 * 1024;
const maxPlainBytes = 96 * 1024 * 1024;
const maxWholeSeconds = 1800;
/** What is heard for a bar, in a container that knows its times. */
const heardSeconds = 0.5;

const streamTypes: ReadonlySet<string> = new Set(['audio/ogg', 'audio/flac', 'audio/mpeg']);

/**
 * The loudest sample of each of `count` slices of a sound, 0 to 1. Of a long one only a part of every slice is heard:
 * half a second, or some thousand bytes where the format has no index.
 */
export async function measurePeaks(value: MediaValue, contentType: string, count: number): Promise<number[]> {
  const sizeBytes = sizeOfValue(value);
  if (streamTypes.has(contentType)) {
    if (sizeBytes > maxCodedBytes)
      return decodeParts(value, contentType, count, (channels) => Math.min(1, loudest(channels)));
  } else {
    if (contentType === 'audio/wav' && sizeBytes > maxPlainBytes) {
      const peaks = await hearWavParts(value, count);
      if (peaks) return peaks;
    }
    if (contentType === 'audio/mp4') await assertHonestTables(value);
    const seconds = await secondsOf(value);
    if (seconds !== null && (seconds > maxWholeSeconds || sizeBytes > maxPlainBytes))
      return hearParts(value, seconds, count);
  }
  const meter = new PeakMeter();
  await decodeSound(value, contentType, (channels) => meter.add(channels));
  return meter.peaks(count);
}

async function secondsOf(value: MediaValue): Promise<number | null> {
  await loadNativeCodecs();
  const input = new Input({ source: containerSource(value), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    return track ? await track.getDurationFromMetadata() : null;
  } finally {
    input.dispose();
  }
}

async function hearParts(value: MediaValue, seconds: number, count: number): Promise<number[]> {
  const input = new Input({ source: containerSource(value), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (!track || !(await track.canDecode())) return [];
    const sink = new AudioSampleSink(track);
    const peaks: number[] = [];
    for (let at = 0; at < count; at++) {
      const from = (at * seconds) / count;
      const to = Math.min(from + heardSeconds, ((at + 1) * seconds) / count);
      let peak = 0;
      for await (const sample of sink.samples(from, to)) {
        peak = Math.max(peak, loudest(planesOf(sample, track.numberOfChannels)));
        sample.close();
      }
      peaks.push(Math.min(1, peak));
    }
    return peaks;
  } finally {
    input.dispose();
  }
}
