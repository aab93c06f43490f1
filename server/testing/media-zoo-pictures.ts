import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

/** A black PNG of one bit per pixel: few bytes, however many pixels. */
export function blackPng(
  width: number,
  height: number,
  { isInterlaced = false, depth = 1 } = {},
): Uint8Array {
  const row = 1 + Math.ceil((width * depth) / 8);
  const raw = isInterlaced ? Math.ceil((row * height * 1.01) / 1) + 16 * height : row * height;
  return Buffer.concat([
    pngMark,
    pngChunk(
      'IHDR',
      Buffer.concat([words(width, height), Buffer.from([depth, 0, 0, 0, isInterlaced ? 1 : 0])]),
    ),
    pngChunk('IDAT', deflateSync(Buffer.alloc(raw), { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Left half red, right half blue, and the upper left corner green: its turns can be told apart. */
export function flag(width = 64, height = 32): Sharp {
  const half = { width: width / 2, height, channels: 3 as const };
  return sharp({ create: { width, height, channels: 3, background: '#d02020' } }).composite([
    { input: { create: { ...half, background: '#2030d0' } }, left: width / 2, top: 0 },
    {
      input: { create: { width: width / 4, height: height / 2, channels: 3, background: '#20c040' } },
      left: 0,
      top: 0,
    },
  ]);
}

/** A PNG with a second frame, as browsers move it (the APNG extension). */
export async function apng(): Promise<Uint8Array> {
  const still = await flag().png().toBuffer();
  const data = await flag().negate().png().toBuffer();
  const chunks = (png: Buffer) => {
    const found: { type: string; data: Buffer }[] = [];
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at);
      found.push({
        type: png.toString('latin1', at + 4, at + 8),
        data: png.subarray(at + 8, at + 8 + length),
      });
      at += length + 12;
    }
    return found;
  };
  const control = (sequence: number) =>
    pngChunk('fcTL', Buffer.concat([words(sequence, 64, 32, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]));
  const of = (png: Buffer, type: string) => chunks(png).filter((chunk) => chunk.type === type);
  return Buffer.concat([
    pngMark,
    ...of(still, 'IHDR').map(({ type, data: bytes }) => pngChunk(type, bytes)),
    pngChunk('acTL', words(2, 0)),
    control(0),
    ...of(still, 'IDAT').map(({ type, data: bytes }) => pngChunk(type, bytes)),
    control(1),
    ...of(data, 'IDAT').map(({ data: bytes }) => pngChunk('fdAT', Buffer.concat([words(2), bytes]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Frames below each other, as sharp takes an animation. */
export const frames = (): Sharp =>
  sharp(
    Buffer.from(
      Array.from({ length: 32 * 64 * 3 }, (_none, at) => (at < 32 * 32 * 3 ? 200 : (at * 7) % 255)),
    ),
    {
      raw: { width: 32, height: 64, channels: 3, pageHeight: 32 },
    },
  );

export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

/** 64 × 64 red pixels coded as HEVC, which needs a decoder that is not free to ship. */
export const heic: Buffer = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAABAACAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAKgACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAEAAAAAgAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAADJtZGF0AAAAJigBrxkhXkJA712lv/8k+/5CF/ZVt8pkoKaXBNeImQsDgYCNkZ04',
  'base64',
);

export const svg = (body: string, size = 'width="64" height="64"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`,
  );

const lol = Array.from({ length: 9 }, (_none, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join(
  '',
);
/** “Billion laughs”: entities of entities, ten to the ninth of them. */
export const entityBomb: Buffer = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">${lol}]><svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><text>&l9;</text></svg>`,
);
const uses = Array.from(
  { length: 20 },
  (_none, at) => `<g id="u${at + 1}">${`<use xlink:href="#u${at}"/>`.repeat(8)}</g>`,
).join('');
export const useBomb: Buffer = svg(
  `<defs><rect id="u0" width="9" height="9"/>${uses}</defs><use xlink:href="#u20"/>`,
);

const pdfBody = `1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R>>endobj
4 0 obj<</Length 26>>stream
1 0 0 rg 0 0 100 100 re f

endstream endobj
trailer<</Root 1 0 R>>
`;
export const pdf: Buffer = Buffer.from(`%PDF-1.4\n${pdfBody}`);
export const pdfWithHtml: Buffer = Buffer.from(
  `%PDF-1.4\n%<html><script>window.top.pwned=1</script></html>\n${pdfBody}`,
);
export const hugePdf: Buffer = Buffer.from(
  pdf.toString('latin1').replace('0 0 200 100]', '0 0 2000000 1000000]'),
);

/** A PDF with a page of one colour for each entry, `1 0 0` for red; `null` stands for a page that is damaged. */
export function makePdf(colours: readonly (string | null)[]): Buffer {
  const pages = colours.map((colour, at) =>
    colour === null
      ? ''
      : `${10 + at} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${200 + at} 100]/Contents ${100_000 + at} 0 R>>endobj
${100_000 + at} 0 obj<</Length ${colour.length + 23}>>stream
${colour} rg 0 0 400 100 re f

endstream endobj
`,
  );
  const kids = colours.map((_none, at) => `${10 + at} 0 R`).join(' ');
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${kids}]/Count ${colours.length}>>endobj
${pages.join('')}trailer<</Root 1 0 R>>
`);
}
