const codecNames = [
  'VideoDecoder',
  'VideoFrame',
  'EncodedVideoChunk',
  'AudioDecoder',
  'EncodedAudioChunk',
  'AudioData',
] as const;

let loading: Promise<boolean> | null = null;

/** WebCodecs as a native module, for mediabunny to find; false where the platform has no build. */
export function loadNativeCodecs(): Promise<boolean> {
  loading ??= import('@napi-rs/webcodecs').then(
    (module) => {
      for (const name of codecNames) Object.assign(globalThis, { [name]: module[name] });
      return true;
    },
    () => false,
  );
  return loading;
}
