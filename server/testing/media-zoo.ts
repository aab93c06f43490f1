import { FlacOutputFormat, OggOutputFormat, WebMOutputFormat } from 'mediabunny';
import {
  bmp,
  bmpCore,
  bmpFields,
  bmpRuns,
  exr,
  gif,
  ico,
  jpeg2000,
  jxl,
  pfm,
  pnm,
  psd,
  qoi,
  radiance,
  tiffInCircle,
} from './media-zoo-kinds.ts';
import { modelZoo } from './media-zoo-models.ts';
import { codeSound, filmBars, lyingFilm, mp4, remux, wav } from './media-zoo-moving.ts';
import {
  apng,
  blackPng,
  entityBomb,
  flag,
  frames,
  heic,
  hugePdf,
  noise,
  pdf,
  pdfWithHtml,
  svg,
  useBomb,
} from './media-zoo-pictures.ts';

export interface Specimen {
  name: string;
  /** What its bytes say it is. */
  contentType: string;
  make(): Promise<Uint8Array> | Uint8Array;
  /** A thumb, or words that the reason for none contains. */
  shows: 'thumb' | RegExp;
}

const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
const script = '<script>window.top.pwned=1</script>';
const html = Buffer.from(
  `<!doctype html><html><body>${script}<img src=x onerror="window.top.pwned=1"></body></html>`,
);
const cut = async (bytes: Promise<Uint8Array> | Uint8Array, part: number): Promise<Uint8Array> => {
  const whole = await bytes;
  return whole.subarray(0, Math.floor(whole.length * part));
};
const join = async (...parts: (Promise<Uint8Array> | Uint8Array | string)[]): Promise<Uint8Array> =>
  Buffer.concat((await Promise.all(parts)).map((part) => Buffer.from(part)));

const picture = (name: string, type: string, make: Specimen['make']): Specimen => ({
  name,
  contentType: `image/${type}`,
  make,
  shows: 'thumb',
});
const broken = (name: string, contentType: string, make: Specimen['make'], shows: RegExp): Specimen => ({
  name,
  contentType,
  make,
  shows,
});
const moving = (name: string, contentType: string, make: Specimen['make']): Specimen => ({
  name,
  contentType,
  make,
  shows: 'thumb',
});

const wholePictures: Specimen[] = [
  ...Array.from({ length: 8 }, (_none, at) =>
    picture(`orientation ${at + 1}`, 'jpeg', () =>
      flag()
        .jpeg({ quality: 95 })
        .withMetadata({ orientation: at + 1 })
        .toBuffer(),
    ),
  ),
  picture('CMYK', 'jpeg', () => flag().toColourspace('cmyk').jpeg().toBuffer()),
  picture('grey', 'jpeg', () => flag().greyscale().jpeg().toBuffer()),
  picture('progressive', 'jpeg', () => noise(300, 200).jpeg({ progressive: true }).toBuffer()),
  picture('colour profile', 'jpeg', () => flag().withIccProfile('p3').jpeg().toBuffer()),
  picture('16-bit', 'png', () => flag().toColourspace('rgb16').png().toBuffer()),
  picture('interlaced', 'png', () => noise(300, 200).png({ progressive: true }).toBuffer()),
  picture('palette', 'png', () => flag().png({ palette: true }).toBuffer()),
  picture('one bit', 'png', () => blackPng(64, 64)),
  picture('alpha', 'png', () => flag().ensureAlpha(0.5).png().toBuffer()),
  picture('one pixel', 'png', () => blackPng(1, 1)),
  picture('one row', 'png', () => blackPng(20_000, 1)),
  picture('animated', 'png', apng),
  picture('animated', 'gif', () => frames().gif().toBuffer()),
  picture('animated', 'webp', () => frames().webp().toBuffer()),
  picture('lossless', 'webp', () => flag().ensureAlpha(0.5).webp({ lossless: true }).toBuffer()),
  picture('still', 'avif', () => flag().avif().toBuffer()),
  picture('deflated', 'tiff', () => flag().tiff({ compression: 'deflate' }).toBuffer()),
  picture('many pixels, line by line', 'png', () => blackPng(16_000, 16_000)),
  picture('drawn', 'svg+xml', () => svg('<circle cx="32" cy="32" r="30" fill="red"/>')),
  picture('with script', 'svg+xml', () =>
    svg(`${script}<rect width="64" height="64" onload="window.top.pwned=1"/>`),
  ),
  picture('that reaches outside', 'svg+xml', () =>
    svg(
      '<image xlink:href="file:///etc/hostname" width="9" height="9"/><image href="http://127.0.0.1:9/x.png" width="9" height="9"/>',
    ),
  ),
];

const otherKinds: Specimen[] = [
  picture('of tiles of HEVC', 'heic', () => heic),
  ...[1, 4, 8, 16, 24, 32].map((bits) => picture(`${bits} bits`, 'bmp', () => bmp(bits))),
  picture('by masks', 'bmp', bmpFields),
  picture('in runs', 'bmp', () => bmpRuns(8)),
  picture('with the header of OS/2', 'bmp', bmpCore),
  picture('with a bitmap', 'x-icon', () => ico()),
  picture('with PNG', 'x-icon', async () => ico(await flag().png().toBuffer())),
  picture('of three channels', 'qoi', qoi),
  ...([1, 2, 3, 4, 5, 6, 7] as const).map((kind) =>
    picture(`P${kind}`, 'x-portable-anymap', () => pnm(kind)),
  ),
  picture('of floats', 'x-portable-anymap', pfm),
  picture('in runs', 'vnd.radiance', () => radiance()),
  picture('ZIP', 'x-exr', () => exr(3)),
  picture('plain', 'x-exr', () => exr(0)),
  picture('packed', 'vnd.adobe.photoshop', () => psd({ isPacked: true })),
  picture('CMYK', 'vnd.adobe.photoshop', () => psd({ mode: 4 })),
  picture('large, 16 bit', 'vnd.adobe.photoshop', () => psd({ depth: 16, isLarge: true })),
  picture('lossy', 'jxl', () => jxl),
  picture('codestream', 'jp2', () => jpeg2000),
  picture('16 bit', 'tiff', () => flag().toColourspace('rgb16').tiff().toBuffer()),
  picture('CMYK', 'tiff', () => flag().toColourspace('cmyk').tiff({ compression: 'lzw' }).toBuffer()),
  picture('tiled, JPEG inside', 'tiff', () =>
    noise(300, 200).tiff({ tile: true, compression: 'jpeg' }).toBuffer(),
  ),
  picture('several pages', 'tiff', () => frames().tiff().toBuffer()),
  picture('one bit', 'tiff', () =>
    flag().threshold().greyscale().tiff({ bitdepth: 1, compression: 'deflate' }).toBuffer(),
  ),
  picture('20,000 frames', 'gif', () => gif(1, 20_000)),
  picture('directories in a circle', 'tiff', tiffInCircle),
];

const brokenKinds: Specimen[] = [
  broken('truncated', 'image/bmp', () => cut(bmp(24), 0.6), /cannot be decoded/),
  broken('without pixels', 'image/x-icon', () => cut(ico(), 0.3), /cannot be decoded/),
  broken('truncated', 'image/qoi', () => cut(qoi(), 0.4), /cannot be decoded/),
  broken('truncated', 'image/x-portable-anymap', () => cut(pnm(6), 0.5), /cannot be decoded/),
  broken('truncated', 'image/vnd.radiance', () => cut(radiance(), 0.7), /cannot be decoded/),
  broken('truncated', 'image/x-exr', () => cut(exr(0), 0.9), /cannot be decoded/),
  broken('packed as PIZ', 'image/x-exr', () => exr(4), /OpenEXR compressed as PIZ/),
  broken('truncated', 'image/vnd.adobe.photoshop', () => cut(psd(), 0.7), /cannot be decoded/),
  broken('truncated', 'image/jxl', () => cut(jxl, 0.5), /cannot be decoded/),
  broken('truncated', 'image/jp2', () => cut(jpeg2000, 0.3), /cannot be decoded/),
  broken('truncated', 'image/heic', () => cut(heic, 0.9), /cannot be decoded/),
  broken('of two thousand million pixels', 'image/bmp', () => bmp(24).fill(0x7f, 18, 22), /million pixels/),
  broken('of 65,535 × 65,535', 'image/gif', () => gif(65_535), /million pixels|one piece|cannot be decoded/),
];

const brokenPictures: Specimen[] = [
  broken('zero bytes', 'application/octet-stream', () => new Uint8Array(0), /no bytes/),
  broken('truncated', 'image/jpeg', () => cut(noise(300, 200).jpeg().toBuffer(), 0.4), /cannot be decoded/),
  broken('truncated', 'image/png', () => cut(noise(300, 200).png().toBuffer(), 0.4), /cannot be decoded/),
  broken('truncated', 'image/webp', () => cut(noise(300, 200).webp().toBuffer(), 0.4), /cannot be decoded/),
  broken('truncated', 'image/gif', () => cut(noise(300, 200).gif().toBuffer(), 0.4), /cannot be decoded/),
  broken('truncated', 'image/avif', () => cut(noise(300, 200).avif().toBuffer(), 0.4), /cannot be decoded/),
  broken('header alone', 'image/jpeg', () => Buffer.from('ffd8ffe000104a464946', 'hex'), /cannot be decoded/),
  broken('40,000 × 40,000 pixels', 'image/png', () => blackPng(40_000, 40_000), /million pixels/),
  broken(
    'bomb, interlaced',
    'image/png',
    () => blackPng(19_000, 19_000, { isInterlaced: true, depth: 16 }),
    /one piece/,
  ),
  broken('bomb of entities', 'image/svg+xml', () => entityBomb, /cannot be decoded/),
  broken('bomb of uses', 'image/svg+xml', () => useBomb, /cannot be decoded|longer than/),
  broken(
    'of 32,000 × 32,000',
    'image/svg+xml',
    () => svg('<rect width="1" height="1"/>', 'width="32000" height="32000"'),
    /million pixels/,
  ),
  broken(
    'unknown bytes',
    'application/octet-stream',
    () => Buffer.from('0001fe0203ff00', 'hex'),
    /no picture of/,
  ),
  broken(
    'archive',
    'application/zip',
    () => Buffer.concat([Buffer.from('504b0304', 'hex'), zip]),
    /no picture of/,
  ),
];

const polyglots: Specimen[] = [
  picture('and JavaScript', 'gif', async () =>
    join('GIF89a/*', (await flag().gif().toBuffer()).subarray(8), '*/=1;window.top.pwned=1'),
  ),
  picture('and ZIP', 'png', () => join(flag().png().toBuffer(), zip)),
  picture('and HTML', 'jpeg', () => join(flag().jpeg().toBuffer(), html)),
  { name: 'PDF and HTML', contentType: 'application/pdf', make: () => pdfWithHtml, shows: 'thumb' },
  { name: 'HTML as a picture', contentType: 'text/html', make: () => html, shows: 'thumb' },
];

const texts: Specimen[] = [
  { name: 'PDF', contentType: 'application/pdf', make: () => pdf, shows: 'thumb' },
  { name: 'PDF of 700 m', contentType: 'application/pdf', make: () => hugePdf, shows: 'thumb' },
  {
    name: 'PDF, truncated',
    contentType: 'application/pdf',
    make: () => cut(pdf, 0.3),
    shows: /PDF cannot be drawn/,
  },
  {
    name: 'text',
    contentType: 'text/plain',
    make: () => Buffer.from('a <b> & "c" ]]>\n\t漢字 🐈\u202e'),
    shows: 'thumb',
  },
  { name: 'JSON', contentType: 'application/json', make: () => Buffer.from('{"a": [1, 2]}'), shows: 'thumb' },
];

const movingOnes: Specimen[] = [
  moving('index at the end', 'video/mp4', () => remux(mp4(false))),
  moving('in fragments', 'video/mp4', () => remux(mp4('fragmented'))),
  moving('variable frame rate', 'video/mp4', () =>
    remux(mp4('in-memory'), (time, at) => time * (1 + (at % 7) / 700)),
  ),
  moving('turned', 'video/mp4', () => remux(mp4('in-memory'), undefined, 90)),
  moving('VP8', 'video/webm', () => filmBars('vp8')),
  moving('VP9', 'video/webm', () => filmBars('vp9')),
  moving('AV1', 'video/mp4', () => filmBars('av1', mp4('in-memory'))),
  moving('of one frame', 'video/webm', () => filmBars('vp8', new WebMOutputFormat(), { frames: 1 })),
  moving('sound alone', 'video/mp4', () => codeSound('aac', mp4('in-memory'))),
  broken('index lost', 'video/mp4', () => cut(remux(mp4(false)), 0.6), /cannot be decoded|no video track/),
  ...(
    [
      ['sizes of four thousand million frames', 'stsz', 8],
      ['times of four thousand million frames', 'stts', 8],
      ['places of four thousand million frames', 'stsc', 12],
    ] as const
  ).map(([name, type, offset]) =>
    broken(
      name,
      'video/mp4',
      async () => lyingFilm(await remux(mp4(false)), type, { offset, value: 0xffff_ffff }),
      /its index tells of [\d,]+ samples/,
    ),
  ),
  broken(
    'truncated',
    'video/webm',
    () => cut(filmBars('vp8'), 0.05),
    /cannot be decoded|no video track|no frame/,
  ),
  moving('silent', 'audio/wav', () => wav({ loudness: 0 })),
  moving('of six channels', 'audio/wav', () => wav({ channels: 6 })),
  moving('Opus', 'audio/ogg', () => codeSound('opus', new OggOutputFormat())),
  moving('FLAC of two channels', 'audio/flac', () => codeSound('flac', new FlacOutputFormat(), 2)),
  broken('without samples', 'audio/wav', () => wav({ seconds: 0 }), /no samples|cannot be decoded/),
  broken(
    'truncated',
    'audio/ogg',
    () => cut(codeSound('opus', new OggOutputFormat()), 0.005),
    /cannot be decoded|no samples/,
  ),
];

/** Real and broken files of every kind, made in code: what people have, and what they are sent. */
export const mediaZoo: readonly Specimen[] = [
  ...wholePictures,
  ...otherKinds,
  ...brokenPictures,
  ...brokenKinds,
  ...polyglots,
  ...texts,
  ...modelZoo,
  ...movingOnes,
];
