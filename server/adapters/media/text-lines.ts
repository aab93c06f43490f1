import sharp from 'sharp';
import { makePictureThumb, type Thumb } from './picture-thumb.ts';

/** Enough for the lines of the largest thumb. */
export const textHeadBytes = 16 * 1024;

const page = { width: 384, height: 256, margin: 16, lineHeight: 17, columns: 46 };
const maxLines = Math.floor((page.height - page.margin) / page.lineHeight);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML takes it: what XML forbids, and what turns the writing of others around, becomes a space. */
const escapeXml = (text: string): string =>
  text
    .replace(
      /[^\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\u202a-\u202e\u2066-\u2069]|[\ufdd0-\ufdef]/gu,
      ' ',
    )
    .replace(/[&<>"]/g, (sign) => entities[sign] as string);

/** The lines of a text that fit on a small page; longer ones go on in the next, and what is left out ends with “…”. */
export function planTextLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.replace(/\t/g, '  ').split(/\r\n|\r|\n/)) {
    const signs = Array.from(line);
    for (let at = 0; at === 0 || at < signs.length; at += page.columns) {
      if (lines.length === maxLines)
        return [...lines.slice(0, -1), `${lines.at(-1)?.slice(0, page.columns - 1)}…`];
      lines.push(
        signs
          .slice(at, at + page.columns)
          .join('')
          .trimEnd(),
      );
    }
  }
  return lines;
}

/** The first lines of a text as a picture of a page, in a grey that reads on light and on dark grounds. */
export async function makeTextLines(bytes: Uint8Array, size: number): Promise<Thumb> {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, textHeadBytes)).replace(/\ufffd+$/, '');
  const lines = planTextLines(text).map(
    (line, index) =>
      `<text x="${page.margin}" y="${page.margin + (index + 0.7) * page.lineHeight}" xml:space="preserve">${escapeXml(line)}</text>`,
  );
  const scale = size / page.width;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${Math.round(page.height * scale)}" viewBox="0 0 ${page.width} ${page.height}"><g fill="#7c828a" font-family="monospace" font-size="12.5">${lines.join('')}</g></svg>`;
  return makePictureThumb(await sharp(Buffer.from(drawing)).png().toBuffer(), size);
}
