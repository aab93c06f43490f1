import { PDFiumLibrary } from '@hyzyla/pdfium';
import { AppError } from '#shared/api/problem.ts';
import { makeRawThumb, type Thumb } from './picture-thumb.ts';

let loading: ReturnType<typeof PDFiumLibrary.init> | null = null;

/** Draws the first page of a PDF on white; no script of it runs, as the library is built without. */
export async function makePdfPage(bytes: Uint8Array, size: number): Promise<Thumb> {
  loading ??= PDFiumLibrary.init();
  const library = await loading;
  let document: Awaited<ReturnType<typeof library.loadDocument>>;
  try {
    document = await library.loadDocument(bytes);
  } catch (error) {
    throw describePdfFailure(error);
  }
  try {
    if (document.getPageCount() === 0) throw new Error('it has no page');
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = size / Math.max(originalWidth, originalHeight);
    if (!Number.isFinite(scale)) throw new Error('its first page has no size');
    const { data, width, height } = await page.render({
      width: Math.max(1, Math.round(originalWidth * scale)),
      height: Math.max(1, Math.round(originalHeight * scale)),
      render: 'bitmap',
    });
    return await makeRawThumb(data, { width, height, size, rotation: 0 });
  } catch (error) {
    throw describePdfFailure(error);
  } finally {
    document.destroy();
  }
}

function describePdfFailure(error: unknown): AppError {
  const text = error instanceof Error ? error.message : '';
  if (/password/i.test(text))
    return new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: 'The PDF is locked by a password.',
      hint: 'Download it to open it with its password.',
      cause: error,
    });
  return new AppError({
    code: 'INVALID_FILE',
    message: `The PDF cannot be drawn${text.startsWith('it') ? `: ${text}` : ': its pages are damaged or cut off'}.`,
    hint: 'Download it to look at it elsewhere.',
    cause: error,
  });
}
