import { useQuery } from '@tanstack/react-query';

/** Frames per second where the file does not tell. */
export const assumedRate = 30;

/** How many frames a second a video has, from its first packets; null where the file does not tell. */
export const useFrameRate = (src: string) =>
  useQuery({
    queryKey: ['frame-rate', src],
    queryFn: async (): Promise<number | null> => {
      const { ALL_FORMATS, Input, UrlSource } = await import('mediabunny');
      const input = new Input({ formats: ALL_FORMATS, source: new UrlSource(src) });
      try {
        const track = await input.getPrimaryVideoTrack();
        const stats = await track?.computePacketStats(120);
        const rate = stats?.averagePacketRate ?? 0;
        return rate > 0 && Number.isFinite(rate) ? rate : null;
      } catch {
        return null;
      } finally {
        input.dispose();
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
