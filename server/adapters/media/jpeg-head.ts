const startOfImage = 0xffd8;
/** Baseline and extended sequential coding (ITU-T T.81, table B.1). */
const sequential: ReadonlySet<number> = new Set([0xc0, 0xc1]);
/** Other frames, and the first scan: what comes before the frame is over. */
const isEnd = (marker: number): boolean =>
  marker === 0xda || marker === 0xd9 || (marker >= 0xc2 && marker <= 0xcf && marker !== 0xc4);

/** Whether the bytes are a JPEG that is decoded a few lines at a time, by the header of its frame. */
export function isSequentialJpeg(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== startOfImage) return false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] as number;
    if (bytes[at] !== 0xff || isEnd(marker)) return false;
    if (sequential.has(marker)) return true;
    if (marker === 0xff) at += 1;
    else at += 2 + view.getUint16(at + 2);
  }
  return false;
}
