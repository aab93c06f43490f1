import { useQuery } from '@tanstack/react-query';
import { assumedFrames, type FrameTimes } from '../model/frames.ts';

const mostFrames = 20_000;

/** When each frame of a video is shown, from the file itself; of long videos only how many there are a second. */
export const useFrameTimes = (src: string | null) =>
  useQuery({
    queryKey: ['frame-times', src],
    queryFn: async ({ signal }): Promise<FrameTimes> => {
      const { ALL_FORMATS, EncodedPacketSink, Input, UrlSource } = await import('mediabunny');
      const input = new Input({ formats: ALL_FORMATS, source: new UrlSource(src ?? '') });
      try {
        const track = await input.getPrimaryVideoTrack();
        if (!track) return assumedFrames;
        const starts: number[] = [];
        for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, {
          metadataOnly: true,
        })) {
          if (signal.aborted || starts.push(packet.timestamp) > mostFrames) break;
        }
        starts.sort((a, b) => a - b);
        const [first = 0] = starts;
        const length = (starts.at(-1) ?? 0) - first;
        const rate = length > 0 ? (starts.length - 1) / length : assumedFrames.rate;
        const isWhole = starts.length <= mostFrames && starts.length > 1;
        return { rate, starts: isWhole ? Float64Array.from(starts) : null, isAssumed: length <= 0 };
      } catch {
        return assumedFrames;
      } finally {
        input.dispose();
      }
    },
    enabled: src !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
