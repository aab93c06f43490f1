import { PDFiumLibrary } from '@hyzyla/pdfium';
import { AppError, isAppError } from '#shared/api/problem.ts';
import { makeRawThumb, type Thumb } from './picture-thumb.ts';

let loading: ReturnType<typeof PDFiumLibrary.init> | null = null;

type Pdf = Awaited<ReturnType<PDFiumLibrary['loadDocument']>>;

/** Draws a page of a PDF, from 1, on white; no script of it runs, as the library is built without. */
export function makePdfPage(bytes: Uint8Array, size: number, number = 1): Promise<Thumb> {
  return withPdf(bytes, async (pdf) => {
    const pages = pdf.getPageCount();
    if (pages === 0) throw new Error('it has no page');
    if (number > pages) throw noSuchPage(number, pages);
    const page = pdf.getPage(number - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = size / Math.max(originalWidth, originalHeight);
    if (!Number.isFinite(scale)) throw new Error(`its page ${number} has no size`);
    const { data, width, height } = await page.render({
      width: Math.max(1, Math.round(originalWidth * scale)),
      height: Math.max(1, Math.round(originalHeight * scale)),
      render: 'bitmap',
    });
    return makeRawThumb(data, { width, height, size, rotation: 0 });
  });
}

export const countPdfPages = (bytes: Uint8Array): Promise<number> =>
  withPdf(bytes, async (pdf) => pdf.getPageCount());

async function withPdf<T>(bytes: Uint8Array, use: (pdf: Pdf) => Promise<T>): Promise<T> {
  loading ??= PDFiumLibrary.init();
  const library = await loading;
  let pdf: Pdf | undefined;
  try {
    pdf = await library.loadDocument(bytes);
    return await use(pdf);
  } catch (error) {
    throw describePdfFailure(error);
  } finally {
    pdf?.destroy();
  }
}

const noSuchPage = (number: number, pages: number): AppError =>
  new AppError({
    code: 'RANGE',
    message: `The PDF has ${pages === 1 ? 'one page' : `${pages} pages`}; there is no page ${number}.`,
    hint: pages === 1 ? 'Ask for page 1.' : `Ask for a page from 1 to ${pages}.`,
  });

function describePdfFailure(error: unknown): AppError {
  if (isAppError(error)) return error;
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
