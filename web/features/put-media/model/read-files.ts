const chunk = 32_768;

/** A file as an edit carries it. */
export async function readFile(file: Blob, signal?: AbortSignal): Promise<{ base64: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  signal?.throwIfAborted();
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk)
    text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return { base64: btoa(text) };
}
